#include "sieve.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "dispatch.hpp"

namespace celosia {

namespace {

// Found on Adult; the search is not sensitive to any of them.
constexpr std::size_t n_most_patterns = 4096, n_most_steps = 65536;
constexpr int n_attempts = 2;
constexpr float most_noise = 0.7F;

CELOSIA_INLINE std::size_t intersect(const Bits* CELOSIA_RESTRICT a, const Bits* CELOSIA_RESTRICT b,
                                     Bits* CELOSIA_RESTRICT both, std::size_t n) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        both[i] = a[i] & b[i];
        total += static_cast<std::size_t>(std::popcount(both[i]));
    }
    return total;
}

CELOSIA_INLINE std::size_t count_common(const Bits* CELOSIA_RESTRICT a, const Bits* CELOSIA_RESTRICT b,
                                        std::size_t n) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < n; ++i) total += static_cast<std::size_t>(std::popcount(a[i] & b[i]));
    return total;
}

// Calls each with the number of every bit that is set; each returns whether to go on.
template <class Each>
void for_bits(const Bits* bits, std::size_t n_words, const Each& each) {
    for (std::size_t w = 0; w < n_words; ++w) {
        for (Bits left = bits[w]; left != 0; left &= left - 1) {
            if (!each(w * 64 + static_cast<std::size_t>(std::countr_zero(left)))) return;
        }
    }
}

}  // namespace

Sieve::Sieve(const Columns& columns, const Demands& demands)
    : columns_(columns),
      judge_(demands),
      n_least_(static_cast<std::size_t>(std::max(judge_.n_least_rows(), 1))),
      sets_(columns),
      box_(columns),
      order_(columns.size()),
      most_(columns.size()) {}

bool Sieve::regroup(const std::vector<std::int32_t>& rows, const std::vector<std::vector<std::int32_t>>& lanes,
                    const std::vector<std::int32_t>& losses, std::int64_t limit, Random& random) {
    rows_ = &rows;
    lanes_ = &lanes;
    losses_ = &losses;
    sets_.build(lanes, n_least_, random);
    n_words_ = (rows.size() + 63) / 64;
    all_.assign(n_words_, ~Bits{0});
    if (rows.size() % 64 != 0) all_.back() = (Bits{1} << (rows.size() % 64)) - 1;
    own_.resize(n_words_);
    list_patterns();
    cost_ = limit;
    for (int attempt = 0; attempt < n_attempts; ++attempt) {
        shuffle(most_noise * random.real(), random);
        if (open_all()) finish();
    }
    return cost_ < limit;
}

// All nodes that have rows enough, column by column, in each combination that still has.
void Sieve::list_patterns() {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](auto a, auto b) { return sets_.nodes(a).size() > sets_.nodes(b).size(); });
    stack_.resize((order_.size() + 1) * n_words_);
    std::copy(all_.begin(), all_.end(), stack_.begin());
    patterns_.clear();
    bits_.clear();
    n_steps_ = 0;
    descend(0, 0);
}

// turns_: the patterns, the cheapest first but for some noise.
void Sieve::shuffle(float noise, Random& random) {
    turns_.resize(patterns_.size());
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
        const float key = static_cast<float>(patterns_[i]) * (1.0F + noise * random.real());
        turns_[i] = static_cast<std::uint64_t>(key) << 32 | i;
    }
    std::sort(turns_.begin(), turns_.end());
}

// False if what is left in the end is no class.
bool Sieve::open_all() {
    n_free_ = rows_->size();
    free_ = all_;
    spare_.assign(n_words_, 0);
    opened_.clear();
    of_opened_.clear();
    for (const std::uint64_t turn : turns_) {
        if (n_free_ == 0) return true;
        const std::size_t i = turn & 0xffffffffU;
        const Bits* bits = bits_.data() + i * n_words_;
        const std::size_t n_own = dispatch<intersect>(bits, static_cast<const Bits*>(free_.data()), own_.data(), n_words_);
        if (n_own == 0 || !may_leave(n_own)) continue;
        if (n_own >= n_least_) {
            open(patterns_[i], n_own);
        } else if (judge_.counts_only()) {
            open_with_help(patterns_[i], bits, n_own);
        }
    }
    if (n_free_ == 0) return true;
    if (!is_accepted(free_.data())) return false;
    keep(free_.data(), 0, n_free_);
    return true;
}

void Sieve::descend(std::size_t depth, std::int32_t loss) {
    const Bits* now = stack_.data() + depth * n_words_;
    if (depth == order_.size()) {
        patterns_.push_back(loss);
        bits_.insert(bits_.end(), now, now + n_words_);
        return;
    }
    const auto& nodes = sets_.nodes(order_[depth]);
    auto& most = most_[depth];
    most.assign(nodes.size(), 0);
    Bits* next = stack_.data() + (depth + 1) * n_words_;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (patterns_.size() >= n_most_patterns || ++n_steps_ > n_most_steps) return;
        const std::size_t n = dispatch<intersect>(now, sets_.bits(nodes[i]), next, n_words_);
        if (nodes[i].parent >= 0) {
            auto& of_parent = most[static_cast<std::size_t>(nodes[i].parent)];
            of_parent = std::max(of_parent, n);
        }
        // A node with the rows of one of its children would only lose more.
        if (n < n_least_ || n == most[i]) continue;
        descend(depth + 1, loss + nodes[i].loss);
    }
}

// What is left must be nothing, or enough for a class.
bool Sieve::may_leave(std::size_t n_own) const { return n_own == n_free_ || n_free_ - n_own >= n_least_; }

bool Sieve::is_accepted(const Bits* own) {
    if (judge_.counts_only()) return true;
    of_class_.clear();
    for_bits(own, n_words_, [&](std::size_t i) {
        of_class_.push_back((*rows_)[i]);
        return true;
    });
    return judge_.accepts(of_class_);
}

void Sieve::open(std::int32_t loss, std::size_t n_own) {
    if (!is_accepted(own_.data())) return;
    for (std::size_t w = 0; w < n_words_; ++w) free_[w] &= ~own_[w];
    n_free_ -= n_own;
    if (n_own > n_least_) {
        for (std::size_t w = 0; w < n_words_; ++w) spare_[w] |= own_[w];
    }
    keep(own_.data(), loss, n_own);
}

void Sieve::keep(const Bits* own, std::int32_t loss, std::size_t size) {
    opened_.push_back({loss, size});
    of_opened_.insert(of_opened_.end(), own, own + n_words_);
}

// own_ has too few rows: the dearest of the opened classes that can spare rows of the pattern give some.
void Sieve::open_with_help(std::int32_t loss, const Bits* bits, std::size_t n_own) {
    const std::size_t n_wanted = n_least_ - n_own;
    if (dispatch<count_common>(bits, static_cast<const Bits*>(spare_.data()), n_words_) < n_wanted) return;
    std::int64_t gain = 0;
    for_bits(own_.data(), n_words_, [&](std::size_t i) {
        gain += (*losses_)[i] - loss;
        return true;
    });
    if (gain <= 0) return;
    helpers_.clear();
    for (std::size_t x = 0; x < opened_.size(); ++x) {
        if (opened_[x].size <= n_least_) continue;
        const Bits* of_x = of_opened_.data() + x * n_words_;
        const std::size_t n = std::min(dispatch<count_common>(bits, of_x, n_words_), opened_[x].size - n_least_);
        if (n > 0) helpers_.emplace_back(x, n);
    }
    std::stable_sort(helpers_.begin(), helpers_.end(),
                     [&](const auto& a, const auto& b) { return opened_[a.first].loss > opened_[b.first].loss; });
    std::size_t n_left = n_wanted, n_helpers = 0;
    for (; n_helpers < helpers_.size() && n_left > 0; ++n_helpers) {
        auto& [x, n] = helpers_[n_helpers];
        n = std::min(n, n_left);
        n_left -= n;
        gain -= static_cast<std::int64_t>(n) * (loss - opened_[x].loss);
    }
    if (n_left > 0 || gain <= 0) return;
    for (std::size_t w = 0; w < n_words_; ++w) free_[w] &= ~own_[w];
    n_free_ -= n_own;
    for (std::size_t h = 0; h < n_helpers; ++h) {
        const auto [x, wanted] = helpers_[h];
        std::size_t n = wanted;
        Bits* of_x = of_opened_.data() + x * n_words_;
        for (std::size_t w = 0; w < n_words_ && n > 0; ++w) {
            for (Bits left = of_x[w] & bits[w]; left != 0 && n > 0; left &= left - 1, --n) {
                const Bits one = left & -left;
                of_x[w] ^= one;
                own_[w] |= one;
                spare_[w] &= ~one;
            }
        }
        opened_[x].size -= wanted;
        if (opened_[x].size > n_least_) continue;
        for (std::size_t w = 0; w < n_words_; ++w) spare_[w] &= ~of_x[w];
    }
    keep(own_.data(), loss, n_least_);
}

// Takes the classes over if they cost less than those before, by what the rows of each have in common in the end.
void Sieve::finish() {
    std::int64_t cost = 0;
    for (std::size_t x = 0; x < opened_.size() && cost < cost_; ++x)
        cost += static_cast<std::int64_t>(opened_[x].size) * loss_of(of_opened_.data() + x * n_words_);
    if (cost >= cost_) return;
    cost_ = cost;
    labels_.resize(rows_->size());
    sizes_.clear();
    for (std::size_t x = 0; x < opened_.size(); ++x) {
        for_bits(of_opened_.data() + x * n_words_, n_words_, [&](std::size_t i) {
            labels_[i] = static_cast<std::int32_t>(x);
            return true;
        });
        sizes_.push_back(static_cast<std::int32_t>(opened_[x].size));
    }
}

std::int32_t Sieve::loss_of(const Bits* own) {
    of_class_.clear();
    for_bits(own, n_words_, [&](std::size_t i) {
        of_class_.push_back(static_cast<std::int32_t>(i));
        return true;
    });
    std::int32_t total = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
        total += loss_among(columns_[c], (*lanes_)[c].data(), of_class_, box_, c);
    return total;
}

}  // namespace celosia
