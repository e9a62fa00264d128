#include "graph_degree.hpp"

#include <cstdlib>
#include <limits>

namespace celosia {

namespace {

constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace

// The best degree for a stretch of L is the one with at least down * L / (up + down) of them at or below it.
DegreeCuts::DegreeCuts(std::int64_t k, DegreePrices prices)
    : k_(static_cast<std::size_t>(k)), prices_(prices), offset_(2 * k_), best_{0}, sums_{0}, start_of_{0} {
    const std::int64_t both = prices.up + prices.down;
    for (std::size_t length = 1; length < 2 * k_; ++length) {
        const auto n_at_or_below = (prices.down * static_cast<std::int64_t>(length) + both - 1) / both;
        offset_[length] = static_cast<std::size_t>(std::max<std::int64_t>(n_at_or_below, 1) - 1);
    }
}

std::int64_t DegreeCuts::update(std::span<const std::int32_t> degrees, std::size_t from) {
    const std::size_t n = degrees.size();
    best_.resize(n + 1);
    sums_.resize(n + 1);
    start_of_.resize(n + 1);
    for (std::size_t end = from + 1; end <= n; ++end) {
        sums_[end] = sums_[end - 1] + degrees[end - 1];
        best_[end] = impossible;
        if (end < k_) continue;
        const std::size_t first = end + 1 > 2 * k_ ? end + 1 - 2 * k_ : 0;
        std::int64_t least = impossible;
        std::size_t least_start = first;
        for (std::size_t start = first; start + k_ <= end; ++start) {
            const std::size_t middle = start + offset_[end - start];
            const std::int64_t target = degrees[middle];
            const std::int64_t up =
                target * static_cast<std::int64_t>(middle - start) - (sums_[middle] - sums_[start]);
            const std::int64_t down =
                sums_[end] - sums_[middle] - target * static_cast<std::int64_t>(end - middle);
            const std::int64_t cost = best_[start] + prices_.up * up + prices_.down * down;
            if (cost < least) {
                least = cost;
                least_start = start;
            }
        }
        best_[end] = least;
        start_of_[end] = least_start;
    }
    return best_[n];
}

void DegreeCuts::copy_from(const DegreeCuts& other, std::size_t from) {
    const auto first = static_cast<std::ptrdiff_t>(from) + 1;
    std::copy(other.best_.begin() + first, other.best_.end(), best_.begin() + first);
    std::copy(other.sums_.begin() + first, other.sums_.end(), sums_.begin() + first);
    std::copy(other.start_of_.begin() + first, other.start_of_.end(), start_of_.begin() + first);
}

namespace {

// Sums of prices, and of prices by degrees, over the first ones.
struct PriceSums {
    std::vector<std::int64_t> prices{0}, weighted{0};

    PriceSums(std::span<const std::int32_t> own, std::span<const std::int32_t> degrees) {
        for (std::size_t i = 0; i < own.size(); ++i) {
            prices.push_back(prices.back() + own[i]);
            weighted.push_back(weighted.back() + std::int64_t{own[i]} * degrees[i]);
        }
    }
    std::int64_t of(std::size_t start, std::size_t end) const { return prices[end] - prices[start]; }
    // What it costs that all of these move to a degree, all from below or all from above.
    std::int64_t to(std::int64_t degree, std::size_t start, std::size_t end) const {
        return degree * of(start, end) - (weighted[end] - weighted[start]);
    }
};

}  // namespace

std::int64_t priced_degree_distance(std::span<const std::int32_t> degrees, std::span<const std::int32_t> up,
                                    std::span<const std::int32_t> down, std::int64_t k) {
    const std::size_t n = degrees.size(), least = static_cast<std::size_t>(k);
    const PriceSums ups(up, degrees), downs(down, degrees);
    std::vector<std::int64_t> best(n + 1, impossible);
    best[0] = 0;
    for (std::size_t end = least; end <= n; ++end) {
        const std::size_t first = end + 1 > 2 * least ? end + 1 - 2 * least : 0;
        std::size_t middle = first;  // the first degree at which going further up would not pay: it rises with the start
        for (std::size_t start = first; start + least <= end; ++start) {
            middle = std::max(middle, start);
            while (middle + 1 < end && ups.of(start, middle + 1) < downs.of(middle + 1, end)) ++middle;
            if (best[start] >= best[end]) continue;
            const std::int64_t target = degrees[middle];
            best[end] = std::min(best[end],
                                 best[start] + ups.to(target, start, middle) - downs.to(target, middle, end));
        }
    }
    return best[n];
}

namespace {

struct NearPoint {
    std::int64_t far, size;
    bool operator<(const NearPoint& other) const { return far < other.far; }
};

std::int64_t sum_of(const DegreePoint& own) { return std::int64_t{own.out} + own.in; }

// Points are asked both ways along their sums, which differ by no more than the distance.
std::int64_t distance_from(const std::vector<DegreePoint>& points, std::size_t place, std::int64_t n_wanted) {
    const DegreePoint& own = points[place];
    std::vector<NearPoint> found{{0, own.size - 1}};  // a heap, the farthest first
    std::int64_t n_found = own.size - 1;
    const auto is_out = [&](std::size_t i) {
        if (i >= points.size() || points[i].group != own.group) return true;
        return n_found >= n_wanted && std::abs(sum_of(own) - sum_of(points[i])) >= found.front().far;
    };
    std::size_t low = place - 1, high = place + 1;  // below 0 is beyond the end
    for (bool goes_low = true; !is_out(low) || !is_out(high); goes_low = !goes_low) {
        const std::size_t i = is_out(high) || (goes_low && !is_out(low)) ? low-- : high++;
        const DegreePoint& other = points[i];
        const std::int64_t far =
            std::abs(std::int64_t{own.out} - other.out) + std::abs(std::int64_t{own.in} - other.in);
        if (n_found >= n_wanted && far >= found.front().far) continue;
        found.push_back({far, other.size});
        std::push_heap(found.begin(), found.end());
        n_found += other.size;
        while (n_found - found.front().size >= n_wanted) {
            n_found -= found.front().size;
            std::pop_heap(found.begin(), found.end());
            found.pop_back();
        }
    }
    std::int64_t sum = 0;
    for (const NearPoint& near : found) sum += near.far * near.size;
    return sum - std::max<std::int64_t>(n_found - n_wanted, 0) * found.front().far;
}

}  // namespace

std::int64_t distance_to_nearest(std::vector<DegreePoint> points, std::int64_t k) {
    std::sort(points.begin(), points.end(), [](const DegreePoint& one, const DegreePoint& other) {
        return one.group != other.group ? one.group < other.group : sum_of(one) < sum_of(other);
    });
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].size < k) sum += points[i].size * distance_from(points, i, k - 1);
    }
    return sum;
}

std::vector<std::size_t> DegreeCuts::ends() const {
    std::vector<std::size_t> ends;
    for (std::size_t end = best_.size() - 1; end > 0; end = start_of_[end]) ends.push_back(end);
    std::reverse(ends.begin(), ends.end());
    return ends;
}

}  // namespace celosia
