#include "subjects.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace celosia {

namespace {

// Codes of a larger table may leave gaps; tables by code would then need more memory than the rows.
void close_gaps(std::vector<std::int32_t>& codes) {
    std::vector<std::int32_t> distinct(codes);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (auto& code : codes)
        code = static_cast<std::int32_t>(std::lower_bound(distinct.begin(), distinct.end(), code) - distinct.begin());
}

}  // namespace

Subjects::Subjects(const std::int32_t* codes, std::int32_t n_rows) : n_distinct_(n_rows) {
    if (codes == nullptr || n_rows == 0) return;
    codes_.assign(codes, codes + n_rows);
    const auto [lowest, highest] = std::minmax_element(codes_.begin(), codes_.end());
    if (*lowest < 0)
        throw std::invalid_argument("the subject in row " + std::to_string(lowest - codes_.begin()) + " is negative");
    if (*highest >= n_rows) close_gaps(codes_);
    n_distinct_ = 0;
    n_free_rows_.assign(codes_.size(), 0);
    for (const std::int32_t code : codes_) n_distinct_ += n_free_rows_[static_cast<std::size_t>(code)]++ == 0;
}

void Subjects::check(std::int32_t k) const {
    if (k < 1) throw std::invalid_argument("k is " + std::to_string(k) + "; it must be at least 1");
    if (n_distinct_ < k)
        throw std::invalid_argument("k is " + std::to_string(k) + " but there are only " + std::to_string(n_distinct_) +
                                    (given() ? " subjects" : " rows"));
}

std::int32_t Subjects::take(std::int32_t row) {
    const std::int32_t left =
        given() ? --n_free_rows_[static_cast<std::size_t>(codes_[static_cast<std::size_t>(row)])] : 0;
    n_distinct_ -= left == 0;
    return left;
}

}  // namespace celosia
