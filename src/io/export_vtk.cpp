// Files of the VTK XML format for ParaView: polygonal data with its arrays appended as raw bytes.
#include <cstring>
#include <filesystem>

#include <escapement/io/export.hpp>
#include <escapement/models/anchor.hpp>

#include "src/io/export_file.hpp"
#include "src/io/export_mesh.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

using Vector = Vec3<double>;

// One data array: components one after the other.
struct Array {
  std::string name;
  int components = 1;
  std::vector<double> numbers = {};
  std::vector<std::int64_t> integers = {};  // instead

  void add(const Vector& a) { numbers.insert(numbers.end(), {a.x, a.y, a.z}); }
};

struct PolyData {
  Array points{"points", 3};
  std::vector<std::int64_t> polygon_corners, polygon_ends;
  bool vertices = false;  // one for each point
  std::vector<Array> arrays;
};

class VtpFile {
 public:
  explicit VtpFile(const PolyData& data) : data_(data) {}

  std::string text() {
    const std::size_t points = data_.points.numbers.size() / 3;
    std::vector<std::int64_t> corners(data_.vertices ? points : 0), ends(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
      corners[i] = static_cast<std::int64_t>(i);
      ends[i] = static_cast<std::int64_t>(i + 1);
    }
    xml_ =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"" +
        std::to_string(points) + "\" NumberOfVerts=\"" + std::to_string(ends.size()) +
        "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(data_.polygon_ends.size()) +
        "\">\n<Points>\n";
    add(data_.points);
    xml_ += "</Points>\n";
    add_cells("Verts", corners, ends);
    add_cells("Polys", data_.polygon_corners, data_.polygon_ends);
    xml_ += "<PointData>\n";
    for (const Array& array : data_.arrays) add(array);
    xml_ += "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    return xml_ + bytes_ + "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  void add(const Array& array) {
    const bool integer = !array.integers.empty();
    xml_ += std::string("<DataArray type=\"") + (integer ? "Int64" : "Float64") + "\" Name=\"" + array.name +
            "\" NumberOfComponents=\"" + std::to_string(array.components) + "\" format=\"appended\" offset=\"" +
            std::to_string(bytes_.size()) + "\"/>\n";
    integer ? append(array.integers) : append(array.numbers);
  }
  void add_cells(const std::string& kind, const std::vector<std::int64_t>& corners,
                 const std::vector<std::int64_t>& ends) {
    xml_ += "<" + kind + ">\n";
    add({"connectivity", 1, {}, corners});
    add({"offsets", 1, {}, ends});
    xml_ += "</" + kind + ">\n";
  }
  template <class T>
  void append(const std::vector<T>& values) {
    const std::uint64_t size = values.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes_.append(reinterpret_cast<const char*>(values.data()), size);
  }

  const PolyData& data_;
  std::string xml_, bytes_;
};

Anchor anchor_of(const BodyInfo& body) {
  Anchor anchor;
  anchor.kind = body.kind;
  anchor.q0 = body.q0;
  anchor.v0 = body.v0;
  return anchor;
}

// Unit quaternion (w, x, y, z) of a body.
std::array<double, 4> quaternion_of(const BodyInfo& body, const double* q) {
  const double* x = q + body.q0;
  if (body.kind == BodyKind::rigid) return {x[3], x[4], x[5], x[6]};
  return {std::cos(0.5 * x[2]), 0.0, 0.0, std::sin(0.5 * x[2])};
}

PolyData bodies_at(const Drawing& drawing, const double* q, const double* v) {
  PolyData data;
  data.vertices = true;
  Array number{"body"}, quaternion{"quaternion", 4}, velocity{"velocity", 3}, spin{"angular_velocity", 3};
  Array axes[3] = {{"axis_x", 3}, {"axis_y", 3}, {"axis_z", 3}};
  for (std::size_t i = 0; i < drawing.bodies.size(); ++i) {
    const BodyInfo& body = drawing.bodies[i];
    const Anchor anchor = anchor_of(body);
    const Pose<double> pose = body_pose(anchor, q);
    data.points.add(pose.p);
    number.integers.push_back(static_cast<std::int64_t>(i));
    for (const double x : quaternion_of(body, q)) quaternion.numbers.push_back(x);
    velocity.add({v[body.v0], v[body.v0 + 1], body.kind == BodyKind::rigid ? v[body.v0 + 2] : 0.0});
    spin.add(spin_of(anchor, pose.R, v));
    axes[0].add(pose.R.x);
    axes[1].add(pose.R.y);
    axes[2].add(pose.R.z);
  }
  data.arrays = {number, quaternion, axes[0], axes[1], axes[2], velocity, spin};
  return data;
}

struct DrawnShape {
  Mesh mesh;
  Anchor anchor;
  int body = -1;
};

std::vector<DrawnShape> drawn_shapes(const Drawing& drawing) {
  std::vector<DrawnShape> shapes;
  for (const ShapeInfo& shape : drawing.shapes) {
    DrawnShape drawn{mesh_of(shape), {}, shape.body};
    if (drawn.mesh.polygons.empty()) continue;
    if (shape.body >= 0) drawn.anchor = anchor_of(drawing.bodies[static_cast<std::size_t>(shape.body)]);
    drawn.anchor.r = vec3(shape.position);
    drawn.anchor.R = rotation_of(shape.rotation);
    shapes.push_back(std::move(drawn));
  }
  return shapes;
}

PolyData shapes_at(const std::vector<DrawnShape>& shapes, const double* q) {
  PolyData data;
  Array body{"body"};
  for (const DrawnShape& shape : shapes) {
    const auto first = static_cast<std::int64_t>(data.points.numbers.size() / 3);
    const Pose<double> frame = place(shape.anchor, q).frame;
    for (const auto& point : shape.mesh.points) {
      data.points.add(frame.p + frame.R * vec3(point));
      body.integers.push_back(shape.body);
    }
    for (const auto& polygon : shape.mesh.polygons) {
      for (const int corner : polygon) data.polygon_corners.push_back(first + corner);
      data.polygon_ends.push_back(static_cast<std::int64_t>(data.polygon_corners.size()));
    }
  }
  data.arrays = {body};
  return data;
}

// Contacts of one frame that have a place.
PolyData contacts_at(const ContactTable& c, double h) {
  PolyData data;
  data.vertices = true;
  Array pair{"pair"}, feature{"feature"}, status{"status"}, impact{"impact"}, gap{"gap"};
  Array normal{"normal", 3}, impulse{"impulse", 3}, force{"force", 3};
  const auto vector = [](const std::vector<double>& column, std::size_t i) {
    return Vector{column[3 * i], column[3 * i + 1], column[3 * i + 2]};
  };
  for (std::size_t i = 0; i < c.pair.size(); ++i) {
    if (!std::isfinite(c.point[3 * i])) continue;
    data.points.add(vector(c.point, i));
    pair.integers.push_back(c.pair[i]);
    feature.integers.push_back(c.feature[i]);
    status.integers.push_back(c.status[i]);
    impact.integers.push_back(c.impact[i]);
    gap.numbers.push_back(c.gap[i]);
    normal.add(vector(c.normal, i));
    impulse.add(vector(c.impulse_world, i));
    force.add((c.impact[i] == 0 ? 1.0 / h : 0.0) * vector(c.impulse_world, i));
  }
  data.arrays = {pair, feature, status, impact, gap, normal, impulse, force};
  return data;
}

void write_file(const std::filesystem::path& path, const std::string& bytes, Overwrite overwrite) {
  ExportFile file(path.string(), overwrite);
  file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
}

std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

class VtkExport {
 public:
  VtkExport(const ResultsReader& results, const std::string& folder, const std::string& name, Overwrite overwrite)
      : results_(results),
        folder_(folder),
        name_(name),
        overwrite_(overwrite),
        shapes_(drawn_shapes(results.info().drawing)) {}

  VtkReport run() {
    report_.undrawn_shapes = static_cast<std::int64_t>(results_.info().drawing.shapes.size() - shapes_.size());
    for (std::int64_t i = 0; i < results_.frame_count(); ++i) write_frame(i);
    write_file(folder_ / (name_ + ".pvd"),
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
               "byte_order=\"LittleEndian\">\n<Collection>\n" +
                   entries_ + "</Collection>\n</VTKFile>\n",
               overwrite_);
    ++report_.files;
    return report_;
  }

 private:
  void write_frame(std::int64_t number) {
    const FrameTable f = results_.frames(number, 1);
    const ContactTable c = results_.contacts(f.contact_begin[0], f.contact_count[0]);
    for (std::size_t i = 0; i < c.pair.size(); ++i) report_.placeless_contacts += !std::isfinite(c.point[3 * i]);
    write_part({"bodies", 0, number, f.t[0]}, bodies_at(results_.info().drawing, f.q.data(), f.v.data()));
    write_part({"shapes", 1, number, f.t[0]}, shapes_at(shapes_, f.q.data()));
    write_part({"contacts", 2, number, f.t[0]}, contacts_at(c, f.h[0]));
  }

  struct Part {
    std::string what;
    int number;
    std::int64_t frame;
    double t;
  };

  void write_part(const Part& part, const PolyData& data) {
    const std::string file = name_ + "_" + part.what + "_" + std::to_string(part.frame) + ".vtp";
    write_file(folder_ / file, VtpFile(data).text(), overwrite_);
    entries_ += "<DataSet timestep=\"" + to_text(part.t) + "\" part=\"" + std::to_string(part.number) + "\" name=\"" +
                part.what + "\" file=\"" + xml_text(file) + "\"/>\n";
    ++report_.files;
  }

  const ResultsReader& results_;
  std::filesystem::path folder_;
  std::string name_;
  Overwrite overwrite_;
  std::vector<DrawnShape> shapes_;
  std::string entries_;
  VtkReport report_;
};

}  // namespace

VtkReport export_vtk(const ResultsReader& results, const std::string& folder, const std::string& name,
                     Overwrite overwrite) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw ResultsError(folder, "the folder cannot be made: " + failed.message());
  return VtkExport(results, folder, name, overwrite).run();
}

}  // namespace esc::io
