#include "report/report.h"

#include <fmt/format.h>

#include "io/base64.h"
#include "io/run_log.h"
#include "report/assets.h"
#include "resilin/version.h"

namespace resilin {
namespace {

bool looks_like_a_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789+-.,e%×≤≥[] ") == std::string::npos;
}

std::string class_of(const std::string& text) {
  if (text == "pass" || text == "missed" || text == "reported") return fmt::format(" class=\"{}\"", text);
  return looks_like_a_number(text) ? " class=\"number\"" : "";
}

std::string cell(const std::string& text, const char* tag = "td") {
  return fmt::format("<{0}{1}>{2}</{0}>", tag, class_of(text), html_escaped(text));
}

std::string link_cell(const std::string& text, const std::string& target) {
  return fmt::format("<td><a href=\"{}\">{}</a></td>", html_escaped(target), html_escaped(text));
}

Value numbers_value(const std::vector<double>& numbers) {
  Value::List out;
  for (const double x : numbers) out.push_back(finite_or_null(x));
  return out;
}

// Inside <script> nothing is escaped, and the first "</" would end it.
std::string script_json(const Value& value) {
  std::string out;
  for (const char c : value.dump()) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

}  // namespace

std::string html_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

bool drawable(const Plot& plot, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && !(plot.log_x && x <= 0) && !(plot.log_y && y <= 0);
}

bool has_points(const Plot& plot) {
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      if (drawable(plot, series.x[i], series.y[i])) return true;
  return false;
}

std::string expected_text(const Row& row) {
  if (row.relation == "report") return "-";
  if (row.relation == "in")
    return fmt::format("[{:.6g}, {:.6g}]", row.expected - row.tolerance, row.expected + row.tolerance);
  return fmt::format("{}{:.6g}", row.relation == "=" ? "" : row.relation + " ", row.expected);
}

Report::Report(std::string title, const std::string& subtitle) : title_(std::move(title)) {
  body_ = fmt::format("<header><h1>{}</h1><p>{}</p></header>\n<section>\n", html_escaped(title_),
                      html_escaped(subtitle));
}

void Report::section(const std::string& title, const std::string& anchor) {
  const std::string id = anchor.empty() ? "" : fmt::format(" id=\"{}\"", html_escaped(anchor));
  body_ += fmt::format("</section>\n<section{}>\n<h2>{}</h2>\n", id, html_escaped(title));
}

void Report::text(const std::string& paragraph) { body_ += fmt::format("<p>{}</p>\n", html_escaped(paragraph)); }

void Report::facts(const std::vector<std::pair<std::string, std::string>>& list) {
  body_ += "<dl>";
  for (const auto& [name, value] : list)
    body_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", html_escaped(name), html_escaped(value));
  body_ += "</dl>\n";
}

void Report::table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows,
                   const std::vector<std::string>& links) {
  body_ += "<div class=\"table\"><table><thead><tr>";
  for (const std::string& column : columns) body_ += cell(column, "th");
  body_ += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    body_ += "<tr>";
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      body_ += k == 0 && i < links.size() ? link_cell(rows[i][k], links[i]) : cell(rows[i][k]);
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Report::verdicts(const std::vector<Row>& rows) {
  body_ +=
      "<div "
      "class=\"table\"><table><thead><tr><th>quantity</th><th>expected</th><th>measured</th><th>tolerance</"
      "th><th>verdict</th><th>note</th></tr></thead><tbody>\n";
  for (const Row& row : rows) {
    const char* verdict = !row.pass ? "missed" : row.relation == "report" ? "reported" : "pass";
    body_ += "<tr>" + cell(row.quantity) + cell(expected_text(row)) + cell(fmt::format("{:.8g}", row.measured)) +
             cell(row.relation == "=" ? fmt::format("{:.3g}", row.tolerance) : "-") + cell(verdict) +
             cell(row.note) + "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void Report::picture(const std::string& png, const std::string& caption) {
  body_ += fmt::format(
      "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
      html_escaped(caption), base64(png));
}

void Report::plot(const Plot& plot) {
  if (!has_points(plot)) return text(plot.title + ": there is nothing to plot.");
  Value::List series;
  for (const Series& one : plot.series) {
    Value line = Value::Object{{"name", one.name}, {"x", numbers_value(one.x)}, {"y", numbers_value(one.y)}};
    if (one.colour >= 0) line.set("colour", one.colour);
    if (one.dashed) line.set("dashed", true);
    series.push_back(std::move(line));
  }
  const Value data = Value::Object{{"title", plot.title}, {"x_label", plot.x_label}, {"y_label", plot.y_label},
                                   {"log_x", plot.log_x}, {"log_y", plot.log_y},     {"series", series}};
  body_ += fmt::format(
      "<figure class=\"plot\"><figcaption>{}</figcaption><script type=\"application/json\">{}</script></figure>\n",
      html_escaped(plot.title), script_json(data));
}

void Report::figure(const Figure& figure) {
  if (const auto* drawn = std::get_if<Plot>(&figure)) return plot(*drawn);
  if (const auto* seen = std::get_if<PngFigure>(&figure)) return picture(seen->png, seen->title);
  const auto& list = std::get<TableFigure>(figure);
  text(list.title);
  table(list.columns, list.rows);
}

std::string Report::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "{}</section>\n<footer>resilin {} (commit {})</footer>\n"
      "<noscript>The plots are drawn by a script inside this file, which is switched off here.</noscript>\n"
      "<script>\n{}</script>\n</body>\n</html>\n",
      html_escaped(title_), report_css(), body_, version(), commit(), plot_js());
}

}  // namespace resilin
