// What is asked of lists of vertices and numbers, and of what goes together: InputError otherwise.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace resilin {

class Integrator;
class Model;
struct ReductionSettings;

/// Some, each in 0 .. count and once.
void check_vertices(int count, const std::vector<int>& vertices, const std::string& where);
/// So many, all finite.
void check_numbers(std::span<const double> numbers, std::size_t wanted, const std::string& where);
/// What is held by a hard pin, by vertex.
std::vector<char> pinned_vertices(const Model& model);
/// A model whose energies are all of elements: InputError otherwise.
void check_reducible(const Model& model);
/// One that can take the model's contact and, of a reduced simulation, needs no Hessian of vertices and has what
/// its hands and obstacles act on.
void check_integrator(const Model& model, const Integrator& integrator,
                      const ReductionSettings* reduction = nullptr);

}  // namespace resilin
