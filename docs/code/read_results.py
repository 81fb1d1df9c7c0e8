import h5py, sys
with h5py.File(sys.argv[1]) as f:
    t, q, names = f["frames/t"][:], f["frames/q"][:], f["model/coordinates"].asstr()[:]
    impacts = f["contacts/impulse"][f["contacts/impact"][:] == 1, 0]
print(f"{names[2]} ends at {q[-1, 2]:.6f} at t = {t[-1]:g}; {len(impacts)} impacts, largest {max(impacts):.4f} N s")
