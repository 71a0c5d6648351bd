#!/usr/bin/env python3
"""Writes the seed corpus: the same small mesh in every variant of every format that is read.

    tests/fuzz/make_corpus.py [FOLDER]     FOLDER/FORMAT/NAME; default: corpus beside this script

It uses nothing of Resilin, so that reading its files tests the readers against an independent writer. The mesh: two tets that
share a face, in the groups "soft" (tag 1) and "hard" (tag 2). Surface formats hold its six outer triangles. The files are kept in the
repository; run this again after changing it.
"""
import base64
import struct
import sys
import zlib
from pathlib import Path

VERTICES = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.25, 0.25, 1.5), (1.0, 1.0, 1.0)]
TETS = [(0, 1, 2, 3), (1, 4, 2, 3)]
TRIANGLES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 4), (1, 4, 3), (2, 3, 4)]


def rows(table, base=0, numbered=None):
    out = []
    for i, row in enumerate(table):
        words = [repr(x) if isinstance(x, float) else str(x + base) for x in row]
        out.append(" ".join(([str(i + numbered)] if numbered is not None else []) + words))
    return "\n".join(out) + "\n"


def flat(table):
    return [x for row in table for x in row]


# ---- Gmsh

NAMES = '$PhysicalNames\n2\n3 1 "soft"\n3 2 "hard"\n$EndPhysicalNames\n'


def gmsh22():
    text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + NAMES + f"$Nodes\n5\n{rows(VERTICES, numbered=1)}$EndNodes\n$Elements\n3\n"
    text += "1 2 2 7 1 1 3 2\n"
    for i, t in enumerate(TETS):
        text += f"{i + 2} 4 2 {i + 1} 1 " + " ".join(str(v + 1) for v in t) + "\n"
    return text + "$EndElements\n$Comments\nignored\n$EndComments\n"


def gmsh22_binary(e):
    out = b"$MeshFormat\n2.2 1 8\n" + struct.pack(e + "i", 1) + b"\n$EndMeshFormat\n" + NAMES.encode() + b"$Nodes\n5\n"
    for i, v in enumerate(VERTICES):
        out += struct.pack(e + "i3d", i + 1, *v)
    out += b"\n$EndNodes\n$Elements\n2\n" + struct.pack(e + "3i", 4, 2, 2)
    for i, t in enumerate(TETS):
        out += struct.pack(e + "7i", i + 1, i + 1, 1, *(v + 1 for v in t))
    return out + b"\n$EndElements\n"


def gmsh41():
    box = "0 0 0 1 1 1.5"
    text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" + NAMES
    text += f"$Entities\n1 0 0 2\n1 0 0 0 0\n1 {box} 1 1 0\n2 {box} 1 2 1 -1\n$EndEntities\n"
    text += "$Nodes\n2 5 1 50\n0 1 0 1\n10\n" + rows(VERTICES[:1]) + "3 1 0 4\n20\n30\n40\n50\n" + rows(VERTICES[1:]) + "$EndNodes\n"
    text += "$Elements\n2 2 1 2\n"
    for i, t in enumerate(TETS):
        text += f"3 {i + 1} 4 1\n{i + 1} " + " ".join(str(10 * (v + 1)) for v in t) + "\n"
    return text + "$EndElements\n"


def gmsh41_binary(e):
    out = b"$MeshFormat\n4.1 1 8\n" + struct.pack(e + "i", 1) + b"\n$EndMeshFormat\n" + NAMES.encode() + b"$Entities\n"
    out += struct.pack(e + "4Q", 0, 0, 0, 2)
    for tag in (1, 2):
        out += struct.pack(e + "i6dQiQ", tag, 0, 0, 0, 1, 1, 1.5, 1, tag, 0)
    out += b"\n$EndEntities\n$Nodes\n" + struct.pack(e + "4Q3iQ", 1, 5, 1, 5, 3, 1, 0, 5) + struct.pack(e + "5Q", 1, 2, 3, 4, 5)
    out += struct.pack(e + "15d", *flat(VERTICES)) + b"\n$EndNodes\n$Elements\n" + struct.pack(e + "4Q", 2, 2, 1, 2)
    for i, t in enumerate(TETS):
        out += struct.pack(e + "3iQ5Q", 3, i + 1, 4, 1, i + 1, *(v + 1 for v in t))
    return out + b"\n$EndElements\n"


# ---- MEDIT, TetGen, Vega

def medit():
    text = "MeshVersionFormatted 2\n# a comment\nDimension\n3\nTetrahedra\n2\n"
    text += "".join(" ".join(str(v + 1) for v in t) + f" {i + 1}\n" for i, t in enumerate(TETS))
    text += "Vertices 5\n" + "".join(" ".join(map(repr, v)) + " 0\n" for v in VERTICES)
    return text + "Triangles 6\n" + "".join(" ".join(str(v + 1) for v in t) + " 3\n" for t in TRIANGLES) + "Corners 1\n1\nEnd\n"


def tetgen(base):
    """.node and .ele in one file: the fuzz target cuts it at the line of dashes."""
    node = f"5 3 1 1\n# comment\n" + "".join(f"{i + base} " + " ".join(map(repr, v)) + f" 0.5 {i % 2}\n" for i, v in enumerate(VERTICES))
    ele = "2 4 1\n" + "".join(f"{i + base} " + " ".join(str(v + base) for v in t) + f" {i + 1}\n" for i, t in enumerate(TETS))
    return node + "-----\n" + ele


def vega():
    return ("# Vega mesh\n*VERTICES\n5 3 0 0\n" + rows(VERTICES, numbered=1) + "*ELEMENTS\nTET\n2 4 0\n" + rows(TETS, 1, numbered=1)
            + "*SET soft\n1\n*SET hard\n2,\n*MATERIAL rubber\nENU, 1000, 1e6, 0.45\n*MATERIAL bone\nENU, 1500, 1e7, 0.3\n"
            + "*REGION\nsoft, rubber\n*REGION\nhard, bone\n")


# ---- VTK

def vtk(binary):
    head = f"# vtk DataFile Version 3.0\ntitle\n{'BINARY' if binary else 'ASCII'}\nDATASET UNSTRUCTURED_GRID\n"
    cells, types, tags = flat([(4, *t) for t in TETS]), [10, 10], [1, 2]
    if not binary:
        return (head + "POINTS 5 float\n" + rows(VERTICES) + "CELLS 2 10\n" + " ".join(map(str, cells)) + "\nCELL_TYPES 2\n10\n10\n"
                + "CELL_DATA 2\nSCALARS material int 1\nLOOKUP_TABLE default\n1 2\nFIELD f 1\ngroup:both 1 2 int\n1 1\n").encode()
    return (head.encode() + b"POINTS 5 double\n" + struct.pack(">15d", *flat(VERTICES)) + b"\nCELLS 2 10\n" + struct.pack(">10i", *cells)
            + b"\nCELL_TYPES 2\n" + struct.pack(">2i", *types) + b"\nCELL_DATA 2\nSCALARS material int 1\nLOOKUP_TABLE default\n"
            + struct.pack(">2i", *tags) + b"\nPOINT_DATA 5\nVECTORS v float\n" + struct.pack(">15f", *([0.0] * 15)) + b"\n")


def vtk51():
    return ("# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n" + rows(VERTICES)
            + "METADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n" + rows(TETS) + "CELL_TYPES 2\n10\n10\n")


def vtk_polydata():
    return ("# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n" + rows(VERTICES) + "POLYGONS 6 24\n"
            + "".join("3 " + " ".join(map(str, t)) + "\n" for t in TRIANGLES))


def vtu(kind):
    """kind: ascii, base64, raw (appended), appended64, zlib (inline), zlib_raw (appended)."""
    arrays = [("Points", "Float64", 3, struct.pack("<15d", *flat(VERTICES)), flat(VERTICES)),
              ("connectivity", "Int32", 1, struct.pack("<8i", *flat(TETS)), flat(TETS)),
              ("offsets", "Int64", 1, struct.pack("<2q", 4, 8), [4, 8]),
              ("types", "UInt8", 1, bytes([10, 10]), [10, 10]),
              ("group:soft", "UInt8", 1, bytes([1, 0]), [1, 0]),
              ("group:hard", "UInt8", 1, bytes([0, 1]), [0, 1])]
    packed = kind.startswith("zlib")

    def stored(data):
        if not packed:
            return struct.pack("<I", len(data)), data
        block = 64
        parts = [data[i:i + block] for i in range(0, len(data), block)]
        sizes = [zlib.compress(p) for p in parts]
        last = len(parts[-1]) if len(parts[-1]) != block else 0
        return struct.pack(f"<{3 + len(parts)}I", len(parts), block, last, *map(len, sizes)), b"".join(sizes)

    appended, tags = b"", {}
    for name, kind_name, components, data, values in arrays:
        header, body = stored(data)
        attributes = f'type="{kind_name}" Name="{name}" NumberOfComponents="{components}"'
        if kind == "ascii":
            tags[name] = f'<DataArray {attributes} format="ascii">\n{" ".join(map(str, values))}\n</DataArray>'
            continue
        encoded = base64.b64encode(header) + base64.b64encode(body) if packed else base64.b64encode(header + body)
        if kind in ("base64", "zlib"):
            tags[name] = f'<DataArray {attributes} format="binary">\n {encoded.decode()}\n</DataArray>'
            continue
        tags[name] = f'<DataArray {attributes} format="appended" offset="{len(appended)}"/>'
        appended += encoded if kind == "appended64" else header + body
    compressor = ' compressor="vtkZLibDataCompressor"' if packed else ""
    text = (f'<?xml version="1.0"?>\n<!-- a comment -->\n<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"{compressor}>\n'
            f'<UnstructuredGrid>\n<Piece NumberOfPoints="5" NumberOfCells="2">\n<Points>{tags["Points"]}</Points>\n<Cells>'
            f'{tags["connectivity"]}{tags["offsets"]}{tags["types"]}</Cells>\n<CellData>{tags["group:soft"]}{tags["group:hard"]}</CellData>\n'
            '</Piece>\n</UnstructuredGrid>\n').encode()
    if appended:
        encoding = "base64" if kind == "appended64" else "raw"
        text += f'<AppendedData encoding="{encoding}">\n_'.encode() + appended + b"\n</AppendedData>\n"
    return text + b"</VTKFile>\n"


# ---- surfaces

def obj():
    return ("# two tets\nmtllib none.mtl\n" + "".join("v " + " ".join(map(repr, v)) + "\n" for v in VERTICES)
            + "vn 0 0 1\ng soft\nusemtl a\nf 1/1 3/1 2/1\nf 1//1 2//1 4//1\nf 1 4 3\ng hard\nf -4 -3 -1\nf 2 5 4\nf 3 4 5\nl 1 2 3\n")


def ply(kind):
    head = (f"ply\nformat {kind} 1.0\ncomment two tets\nelement vertex 5\nproperty float x\nproperty uchar red\nproperty float y\nproperty float z\n"
            "property list uchar short extra\nelement face 5\nproperty uchar flags\nproperty list uchar int vertex_indices\nend_header\n")
    faces = TRIANGLES[:4] + [(1, 4, 2, 3)]  # a quad is two triangles
    if kind == "ascii":
        text = head + "".join(f"{x} 255 {y} {z} 2 1 2\n" for x, y, z in VERTICES)
        return (text + "".join(f"0 {len(f)} " + " ".join(map(str, f)) + "\n" for f in faces)).encode()
    e = "<" if "little" in kind else ">"
    out = head.encode()
    for x, y, z in VERTICES:
        out += struct.pack(e + "fBffB2h", x, 255, y, z, 2, 1, 2)
    for f in faces:
        out += struct.pack(e + f"BB{len(f)}i", 0, len(f), *f)
    return out


def stl(binary):
    if binary:
        out = b"binary".ljust(80) + struct.pack("<I", 6)
        for t in TRIANGLES:
            out += struct.pack("<12fH", 0, 0, 1, *flat(VERTICES[v] for v in t), 0)
        return out
    text = "solid two tets\n"
    for t in TRIANGLES:
        text += "facet normal 0 0 1\nouter loop\n" + "".join("vertex " + " ".join(map(repr, VERTICES[v])) + "\n" for v in t) + "endloop\nendfacet\n"
    return text + "endsolid two tets\n"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "corpus"
    files = {
        "gmsh": {"v22.msh": gmsh22(), "v22_little.msh": gmsh22_binary("<"), "v22_big.msh": gmsh22_binary(">"),
                 "v41.msh": gmsh41(), "v41_little.msh": gmsh41_binary("<"), "v41_big.msh": gmsh41_binary(">")},
        "medit": {"two.mesh": medit()},
        "tetgen": {"base0.node": tetgen(0), "base1.node": tetgen(1)},
        "vega": {"two.veg": vega()},
        "vtk": {"ascii.vtk": vtk(False), "binary.vtk": vtk(True), "v51.vtk": vtk51(), "polydata.vtk": vtk_polydata()},
        "vtu": {f"{k}.vtu": vtu(k) for k in ("ascii", "base64", "raw", "appended64", "zlib", "zlib_raw")},
        "obj": {"two.obj": obj()},
        "ply": {"ascii.ply": ply("ascii"), "little.ply": ply("binary_little_endian"), "big.ply": ply("binary_big_endian")},
        "stl": {"ascii.stl": stl(False), "binary.stl": stl(True)},
    }
    for name, group in files.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for file, data in group.items():
            (folder / name / file).write_bytes(data.encode() if isinstance(data, str) else data)


if __name__ == "__main__":
    main()
