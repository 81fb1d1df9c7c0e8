// Texts and attributes of results files.
#include <algorithm>
#include <cstring>

#include "src/io/results_hdf5.hpp"
#include "src/math/printable.hpp"

namespace esc::io {

namespace {

constexpr std::size_t longest = std::size_t{1} << 28;  // no text is longer: a damaged size must not eat the memory

Handle text_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(length, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Length of the texts of a dataset or attribute; 0 if it holds none of fixed length.
std::size_t text_length(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return 0;
  const std::size_t length = H5Tget_size(type);
  return length <= longest ? length : 0;
}

std::string trimmed(const char* from, std::size_t length) { return {from, std::find(from, from + length, '\0')}; }

}  // namespace

// A terminal obeys such characters, and a line end lets a name write lines of its own.
void File::require_printable(const std::string& name, std::string_view text, std::string_view allowed) const {
  const std::size_t found = find_unprintable(text, allowed);
  if (found == std::string_view::npos) return;
  const std::size_t begin = found - std::min<std::size_t>(found, 20);
  fail("the text " + name + " has a control character, a mark of direction or a byte that is no UTF-8: '" +
       printable(text.substr(begin, found - begin + 20)) + "'");
}

void File::write_texts(const std::string& name, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) require_printable(name, text);
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::vector<char> bytes(length * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) std::ranges::copy(texts[i], bytes.data() + i * length);

  const hsize_t count = texts.size();
  const Handle type = text_type(length), space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (const hsize_t chunk = 1 + 65536 / length; count > chunk) {  // a pile has half a million pairs
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_deflate(list, 1);
  }
  const Handle data(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
  if (!data.ok() || (count > 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0))
    fail("the dataset " + name + " cannot be written");
}

std::vector<std::string> File::stored_texts(const std::string& name) const {
  const Handle data = open_dataset(name);
  const Handle type(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
  const std::size_t length = text_length(type);
  const hssize_t count = space.ok() ? H5Sget_simple_extent_npoints(space) : -1;
  if (length == 0 || count < 0 || static_cast<std::size_t>(count) > longest / length)
    fail("the dataset " + name + " does not hold texts");
  std::vector<char> bytes(length * static_cast<std::size_t>(count));
  if (count > 0 && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    fail("the dataset " + name + " is damaged: it cannot be read");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < bytes.size(); i += length) texts.push_back(trimmed(bytes.data() + i, length));
  return texts;
}

std::vector<std::string> File::read_texts(const std::string& name) const {
  std::vector<std::string> texts = stored_texts(name);
  for (const std::string& text : texts) require_printable(name, text);
  return texts;
}

void File::write_text(const std::string& name, std::string_view text) {
  require_printable(name, text, line_characters);
  const Handle type = text_type(text.size()), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle data(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const std::string bytes = text.empty() ? std::string(1, '\0') : std::string(text);
  if (!data.ok() || H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    fail("the dataset " + name + " cannot be written");
}

std::string File::read_text(const std::string& name) const {
  const auto texts = stored_texts(name);
  if (texts.size() != 1) fail("the dataset " + name + " does not hold one text");
  require_printable(name, texts.front(), line_characters);
  return texts.front();
}

void File::write_numbers(const std::string& name, const std::vector<double>& numbers) {
  const hsize_t count = numbers.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle data(H5Dcreate2(file_, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Dclose);
  if (!data.ok() || (count > 0 && H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0))
    fail("the dataset " + name + " cannot be written");
}

void File::set_attribute(const std::string& owner, const std::string& name, const TypePair& type, const void* value) {
  const Handle object(H5Oopen(file_, owner.c_str(), own_links()), H5Oclose);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  if (object.ok() && H5Aexists(object, name.c_str()) > 0) H5Adelete(object, name.c_str());
  const Handle attribute(
      object.ok() ? H5Acreate2(object, name.c_str(), type.file, space, H5P_DEFAULT, H5P_DEFAULT) : -1, H5Aclose);
  if (!attribute.ok() || H5Awrite(attribute, type.memory, value) < 0)
    fail("the attribute " + name + " of " + owner + " cannot be written");
}

void File::get_attribute(const std::string& owner, const std::string& name, hid_t type, void* value) const {
  const Handle attribute(H5Aopen_by_name(file_, owner.c_str(), name.c_str(), H5P_DEFAULT, own_links()), H5Aclose);
  const Handle stored(attribute.ok() ? H5Aget_type(attribute) : -1, H5Tclose);
  const Handle space(attribute.ok() ? H5Aget_space(attribute) : -1, H5Sclose);
  const bool fits = stored.ok() && space.ok() && H5Tget_class(stored) == H5Tget_class(type) &&
                    H5Sget_simple_extent_npoints(space) == 1;
  if (!fits || H5Aread(attribute, type, value) < 0)
    fail("the attribute " + name + " of " + owner + " is missing or damaged");
}

void File::set_text(const std::string& owner, const std::string& name, std::string_view text) {
  require_printable(owner + "/" + name, text);
  const Handle type = text_type(text.size());
  const std::string bytes = text.empty() ? std::string(1, '\0') : std::string(text);
  set_attribute(owner, name, {type, type}, bytes.data());
}

std::string File::text(const std::string& owner, const std::string& name) const {
  const Handle attribute(H5Aopen_by_name(file_, owner.c_str(), name.c_str(), H5P_DEFAULT, own_links()), H5Aclose);
  const Handle stored(attribute.ok() ? H5Aget_type(attribute) : -1, H5Tclose);
  const std::size_t length = stored.ok() ? text_length(stored) : 0;
  if (length == 0) fail("the attribute " + name + " of " + owner + " is missing or no text");
  std::vector<char> bytes(length);
  get_attribute(owner, name, stored, bytes.data());
  std::string text = trimmed(bytes.data(), length);
  require_printable(owner + "/" + name, text);
  return text;
}

void File::set_number(const std::string& owner, const std::string& name, double value) {
  set_attribute(owner, name, {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE}, &value);
}

double File::number(const std::string& owner, const std::string& name) const {
  double value = 0.0;
  get_attribute(owner, name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

void File::set_integer(const std::string& owner, const std::string& name, std::int64_t value) {
  set_attribute(owner, name, {H5T_NATIVE_INT64, H5T_STD_I64LE}, &value);
}

std::int64_t File::integer(const std::string& owner, const std::string& name) const {
  std::int64_t value = 0;
  get_attribute(owner, name, H5T_NATIVE_INT64, &value);
  return value;
}

}  // namespace esc::io
