// Between Python and C++: values, arrays, ids. Everything that comes in is checked, and what is wrong is named.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bindings.h"

namespace resilin::python {
namespace {

std::string type_of(py::handle object) { return py::str(py::type::handle_of(object).attr("__name__")); }

bool is_array(py::handle object) { return py::isinstance<py::array>(object); }

// Of numbers; a list of lists of different lengths and texts are none.
py::array number_array(py::handle object, const std::string& where, const char* kinds, const char* wanted) {
  py::array array;
  try {
    array = py::array::ensure(object);
    PyErr_Clear();
  } catch (const py::error_already_set&) {
  }
  if (!array) throw InputError(where, fmt::format("{} stands where {} wanted", type_of(object), wanted));
  const char kind = array.dtype().kind();
  const bool empty = array.size() == 0;
  if (!empty && std::string(kinds).find(kind) == std::string::npos)
    throw InputError(
        where, fmt::format("an array of {} stands where {} wanted", std::string(py::str(array.dtype())), wanted));
  return array;
}

py::array_t<double, py::array::c_style | py::array::forcecast> doubles(py::handle object,
                                                                       const std::string& where) {
  return number_array(object, where, "fiu", "an array of numbers is");
}

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")); }

void check_finite(const double* values, std::ptrdiff_t count, int width, const std::string& where) {
  for (std::ptrdiff_t i = 0; i < count; ++i)
    if (!std::isfinite(values[i]))
      throw InputError(where, fmt::format("{} {} is {}: numbers must be finite", width > 1 ? "row" : "number",
                                          i / std::max(1, width), values[i]));
}

}  // namespace

Value to_value(py::handle object, const std::string& where) {
  if (object.is_none()) return {};
  if (py::isinstance<py::bool_>(object)) return Value(object.cast<bool>());
  if (py::isinstance<py::str>(object)) return Value(object.cast<std::string>());
  if (py::isinstance<py::dict>(object)) {
    Value::Object out;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
      if (!py::isinstance<py::str>(key)) throw InputError(where, "a key is not a text");
      const auto name = key.cast<std::string>();
      out.emplace_back(name, to_value(value, where + "." + name));
    }
    return out;
  }
  if (py::hasattr(object, "to_dict")) return to_value(object.attr("to_dict")(), where);
  if (py::hasattr(object, "__fspath__")) return Value(object.attr("__fspath__")().cast<std::string>());
  if (is_array(object) && !(py::reinterpret_borrow<py::array>(object).ndim() == 0))
    return to_value(object.attr("tolist")(), where);
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    Value::List out;
    for (const py::handle item : py::reinterpret_borrow<py::sequence>(object))
      out.push_back(to_value(item, fmt::format("{}[{}]", where, out.size())));
    return out;
  }
  if (PyNumber_Check(object.ptr()) != 0 && PyComplex_Check(object.ptr()) == 0) {
    const double number = PyFloat_AsDouble(object.ptr());
    if (PyErr_Occurred() == nullptr) {
      if (!std::isfinite(number)) throw InputError(where, fmt::format("{} is not finite", number));
      return Value(number);
    }
    PyErr_Clear();
  }
  throw InputError(where, fmt::format("{} cannot be a parameter: a number, a text, a list or a dict is wanted",
                                      type_of(object)));
}

py::object to_python(const Value& value) {
  if (value.is_null()) return py::none();
  if (value.is_bool()) return py::bool_(value.boolean());
  if (value.is_text()) return py::str(value.text());
  if (value.is_number()) {
    const double number = value.number();
    if (number == std::floor(number) && std::abs(number) < 1e15) return py::int_(static_cast<long long>(number));
    return py::float_(number);
  }
  if (value.is_list()) {
    py::list out;
    for (const Value& item : value.list()) out.append(to_python(item));
    return out;
  }
  py::dict out;
  for (const auto& [key, item] : value.object()) out[py::str(key)] = to_python(item);
  return out;
}

double to_number(py::handle object, const std::string& where) {
  const Value value = to_value(object, where);
  if (!value.is_number())
    throw InputError(where, fmt::format("{} stands where a number is wanted", type_of(object)));
  return value.number();
}

std::string to_text(py::handle object, const std::string& where) {
  if (!py::isinstance<py::str>(object))
    throw InputError(where, fmt::format("{} stands where a text is wanted", type_of(object)));
  try {
    return object.cast<std::string>();
  } catch (const py::cast_error&) {
    PyErr_Clear();
    throw InputError(where, "the text has characters that are none");
  }
}

std::string to_path(py::handle object) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(object.ptr(), &bytes) == 0) throw py::error_already_set();
  return py::reinterpret_steal<py::bytes>(bytes);
}

py::dict to_dict(py::handle object, const std::string& where, std::initializer_list<const char*> keys) {
  if (!py::isinstance<py::dict>(object))
    throw InputError(where, fmt::format("{} stands where a dict is wanted", type_of(object)));
  const auto out = py::reinterpret_borrow<py::dict>(object);
  for (const auto& [key, value] : out) {
    const std::string name = to_text(key, where + ": a key");
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      throw InputError(where, fmt::format("there is no key \"{}\"; keys: {}", name, fmt::join(keys, ", ")));
  }
  return out;
}

Choice to_choice(py::handle object, const std::string& where) {
  const auto pair = object.cast<std::pair<std::string, py::dict>>();
  const Value params = to_value(pair.second, where);
  return {pair.first, params.object()};
}

std::vector<double> to_numbers(py::handle object, std::ptrdiff_t count, const std::string& where) {
  const auto array = doubles(object, where);
  if (count >= 0 && array.size() != count)
    throw InputError(where, fmt::format("has the shape {}, and {} numbers are wanted", shape_text(array), count));
  check_finite(array.data(), array.size(), 1, where);
  return {array.data(), array.data() + array.size()};
}

std::vector<double> to_rows(py::handle object, std::ptrdiff_t count, const std::string& where) {
  const auto array = doubles(object, where);
  if (array.ndim() != 2 || array.shape(1) != 3 || (count >= 0 && array.shape(0) != count))
    throw InputError(where, fmt::format("has the shape {}, and ({}, 3) is wanted", shape_text(array),
                                        count < 0 ? "n" : std::to_string(count)));
  check_finite(array.data(), array.size(), 3, where);
  return {array.data(), array.data() + array.size()};
}

std::vector<int> to_ids(py::handle object, int width, int limit, const std::string& where) {
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> array =
      number_array(object, where, "iu", "whole numbers are");
  const bool fits = width == 0 ? array.ndim() == 1 : array.ndim() == 2 && array.shape(1) == width;
  if (!fits)
    throw InputError(where, fmt::format("has the shape {}, and {} is wanted", shape_text(array),
                                        width == 0 ? std::string("(n,)") : fmt::format("(n, {})", width)));
  std::vector<int> out;
  out.reserve(static_cast<std::size_t>(array.size()));
  for (std::ptrdiff_t i = 0; i < array.size(); ++i) {
    const std::int64_t id = array.data()[i];
    if (id < 0 || id >= limit)
      throw InputError(where, fmt::format("{} {} names {}, and ids are from 0 to {}", width == 0 ? "entry" : "row",
                                          i / std::max(1, width), id, limit - 1));
    out.push_back(static_cast<int>(id));
  }
  return out;
}

std::vector<int> to_selection(py::handle object, int count, const std::string& where) {
  const py::array array = number_array(object, where, "iub", "a mask or a list of ids is");
  if (array.dtype().kind() != 'b' || array.size() == 0) {
    if (array.ndim() == 0) return to_ids(py::array(array.attr("reshape")(1)), 0, count, where);
    return to_ids(array, 0, count, where);
  }
  if (array.ndim() != 1 || array.shape(0) != count)
    throw InputError(where,
                     fmt::format("the mask has the shape {}, and ({},) is wanted", shape_text(array), count));
  const py::array_t<bool, py::array::c_style | py::array::forcecast> mask = array;
  std::vector<int> out;
  for (int i = 0; i < count; ++i)
    if (mask.data()[i]) out.push_back(i);
  return out;
}

std::array<double, 3> to_vector3(py::handle object, const std::string& where) {
  const std::vector<double> v = to_numbers(object, 3, where);
  return {v[0], v[1], v[2]};
}

PerElement to_per_element(py::handle object, const std::string& where) {
  const std::vector<double> v = to_numbers(object, -1, where);
  return v.size() == 1 ? PerElement(v[0]) : PerElement(v);
}

namespace {

template <class T>
py::array copied(const std::vector<T>& values, int width) {
  if (width == 0) return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
  return py::array_t<T>({static_cast<py::ssize_t>(values.size()) / width, static_cast<py::ssize_t>(width)},
                        values.data());
}

template <class T>
py::array viewed(const std::vector<T>& values, const py::object& owner, int width) {
  const auto rows = static_cast<py::ssize_t>(values.size()) / width;
  py::array_t<T> out = width == 1 ? py::array_t<T>({rows}, values.data(), owner)
                                  : py::array_t<T>({rows, static_cast<py::ssize_t>(width)}, values.data(), owner);
  out.attr("flags").attr("writeable") = false;
  return out;
}

}  // namespace

py::array to_array(const std::vector<double>& values, int width) { return copied(values, width); }
py::array to_array(const std::vector<int>& values, int width) { return copied(values, width); }
py::array view_of(const std::vector<double>& values, py::object owner, int width) {
  return viewed(values, owner, width);
}
py::array view_of(const std::vector<int>& values, py::object owner, int width) {
  return viewed(values, owner, width);
}

}  // namespace resilin::python
