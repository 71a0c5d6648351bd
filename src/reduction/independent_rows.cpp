#include "reduction/independent_rows.h"

#include <algorithm>
#include <cmath>

#include "linear/ordering.h"

namespace resilin {
namespace {

struct Entry {
  int row;
  double value;
};

// Columns of L that row k has an entry in, ascending: the paths up the elimination tree from the entries of the
// matrix (Davis 2006, Sec. 4.2).
void find_reachable(const std::vector<Entry>& entries, int k, const std::vector<int>& parent,
                    std::vector<int>& seen_by, std::vector<int>& out) {
  out.clear();
  seen_by[k] = k;
  for (const Entry& entry : entries)
    for (int i = entry.row; i >= 0 && i < k && seen_by[i] != k; i = parent[i]) seen_by[i] = k, out.push_back(i);
  std::sort(out.begin(), out.end());
}

}  // namespace

std::vector<char> independent_rows(const SymmetricMatrix& gram, double tolerance) {
  const int n = gram.size();
  const Graph graph = graph_of(gram);
  const std::vector<int> order = fill_reducing_order(graph), place = inverse(order);
  const std::vector<int> parent = elimination_tree(permuted(graph, order));
  std::vector<std::vector<Entry>> matrix(n),
      columns(n);  // the lower triangle by rows in the new order; L by columns
  std::vector<double> square(n), root(n, 0.0), x(n, 0.0);
  for (int i = 0; i < n; ++i)
    for (int s = gram.start[i]; s < gram.start[i + 1]; ++s) {
      const int a = place[i], b = place[gram.column[s]];
      if (a == b) square[a] = gram.value[s];
      else matrix[std::max(a, b)].push_back({std::min(a, b), gram.value[s]});
    }
  std::vector<char> kept(n, 0);
  std::vector<int> seen_by(n, -1), in;
  std::vector<Entry> row;
  for (int k = 0; k < n; ++k) {
    find_reachable(matrix[k], k, parent, seen_by, in);
    for (const Entry& entry : matrix[k]) x[entry.row] = entry.value;
    double left = square[k];
    row.clear();
    for (const int i : in) {
      const double value = root[i] > 0 ? x[i] / root[i] : 0;
      x[i] = 0;
      if (value == 0) continue;
      for (const Entry& below : columns[i]) x[below.row] -= below.value * value;
      left -= value * value;
      row.push_back({i, value});
    }
    if (!(left > tolerance * square[k])) continue;
    root[k] = std::sqrt(left);
    kept[order[k]] = 1;
    for (const Entry& entry : row) columns[entry.row].push_back({k, entry.value});
  }
  return kept;
}

}  // namespace resilin
