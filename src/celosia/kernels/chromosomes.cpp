#include "chromosomes.hpp"

#include <algorithm>

namespace celosia {

namespace {

// Attempts to find a gene that says anything.
constexpr int n_most_attempts = 8;
constexpr float chance_of_another = 0.5F;

}  // namespace

Decoded::Decoded(const Ladders& ladders) {
    for (const Ladder& ladder : ladders.columns()) {
        places.emplace_back(ladder.n_codes, 0);
        groups.emplace_back(ladder.n_codes, 0);
        costs.emplace_back(ladder.n_codes, 0);
        n_groups.push_back(1);
    }
}

Scheme Decoded::scheme() const {
    Scheme all;
    for (std::size_t j = 0; j < groups.size(); ++j) all.push_back({groups[j].data(), n_groups[j], costs[j].data()});
    return all;
}

Code::Code(const GeneticTask& task)
    : task_(task),
      nodes_(nodes_of(task.ladders, task.tuples)),
      gene_of_(nodes_.size(), 0),
      parent_of_(nodes_.size(), 0),
      inner_(task.ladders.columns().size()) {
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
        if (at < inner_.size()) parent_of_[at] = at;
        for (const std::size_t child : nodes_[at].children) parent_of_[child] = at;
        if (!nodes_[at].children.empty()) inner_[nodes_[at].column].push_back(at);
    }
    std::size_t end = 0;
    for (std::size_t j = 0; j < inner_.size(); ++j) {
        const Ranges& ranges = task.ranges[j];
        if (task.by_levels) {
            kinds_.push_back(Kind::level);
            if (task.ladders.columns()[j].n_levels > 1) ++end;
        } else if (ranges.are_given()) {
            kinds_.push_back(Kind::line);
            end += ranges.n_blocks - 1 + (ranges.has_missing() ? 1 : 0);
        } else {
            kinds_.push_back(Kind::tree);
            for (const std::size_t node : inner_[j]) gene_of_[node] = end++;
        }
        ends_.push_back(end);
        if (n_genes_of(j) > 0) able_.push_back(j);
    }
}

void Code::decode(const Genes& genes, Decoded& decoded) const {
    for (std::size_t j = 0; j < kinds_.size(); ++j) {
        if (kinds_[j] == Kind::level) {
            decode_level(j, n_genes_of(j) > 0 ? genes[begin(j)] : 0, decoded);
        } else if (kinds_[j] == Kind::tree) {
            decode_tree(j, genes, decoded);
        } else {
            decode_line(j, genes, decoded);
        }
    }
}

void Code::decode_level(std::size_t column, std::int32_t level, Decoded& decoded) const {
    const Ladder& ladder = task_.ladders.columns()[column];
    const auto at = static_cast<std::size_t>(level);
    std::fill(decoded.places[column].begin(), decoded.places[column].end(), level);
    std::copy(ladder.groups_at(at), ladder.groups_at(at) + ladder.n_codes, decoded.groups[column].begin());
    std::copy(ladder.costs_at(at), ladder.costs_at(at) + ladder.n_codes, decoded.costs[column].begin());
    decoded.n_groups[column] = static_cast<std::size_t>(ladder.n_groups[at]);
}

void Code::decode_tree(std::size_t column, const Genes& genes, Decoded& decoded) const {
    const Ladder& ladder = task_.ladders.columns()[column];
    std::int32_t n_groups = 0;
    std::vector<std::size_t> open{column};
    while (!open.empty()) {
        const Node& node = nodes_[open.back()];
        const bool is_cut = !node.children.empty() && genes[gene_of_[open.back()]] != 0;
        open.pop_back();
        if (is_cut) {
            open.insert(open.end(), node.children.begin(), node.children.end());
            continue;
        }
        const std::int64_t* costs = ladder.costs_at(static_cast<std::size_t>(node.level));
        for (const std::int32_t one : node.codes) {
            const auto code = static_cast<std::size_t>(one);
            decoded.places[column][code] = node.level;
            decoded.groups[column][code] = n_groups;
            decoded.costs[column][code] = costs[code];
        }
        ++n_groups;
    }
    decoded.n_groups[column] = static_cast<std::size_t>(n_groups);
}

// With missing values the first gene says whether they stand apart; everything is one otherwise.
void Code::decode_line(std::size_t column, const Genes& genes, Decoded& decoded) const {
    const Ladder& ladder = task_.ladders.columns()[column];
    const Ranges& ranges = task_.ranges[column];
    std::vector<std::int32_t>& groups = decoded.groups[column];
    std::vector<std::int64_t>& costs = decoded.costs[column];
    std::size_t first_gene = begin(column);
    if (ranges.has_missing() && genes[first_gene++] == 0) {
        std::fill(groups.begin(), groups.end(), 0);
        std::copy(ladder.costs_at(ladder.n_levels - 1), ladder.costs_at(ladder.n_levels - 1) + ladder.n_codes,
                  costs.begin());
        decoded.n_groups[column] = 1;
    } else {
        std::vector<std::size_t> first(ranges.n_blocks, 0), last(ranges.n_blocks, 0);  // of each block's range
        std::vector<std::int32_t> range_of(ranges.n_blocks, 0);
        for (std::size_t block = 1; block < ranges.n_blocks; ++block) {
            const bool is_cut = genes[first_gene + block - 1] != 0;
            first[block] = is_cut ? block : first[block - 1];
            range_of[block] = range_of[block - 1] + (is_cut ? 1 : 0);
        }
        for (std::size_t block = ranges.n_blocks; block-- > 0;)
            last[block] = block + 1 < ranges.n_blocks && first[block + 1] == first[block] ? last[block + 1] : block;
        const std::int32_t n_ranges = range_of.back() + 1;
        for (std::size_t code = 0; code < ladder.n_codes; ++code) {
            const std::int32_t own = ranges.block_of[code];
            groups[code] = own < 0 ? n_ranges : range_of[static_cast<std::size_t>(own)];
            if (own < 0) {
                costs[code] = 0;
                continue;
            }
            const auto block = static_cast<std::size_t>(own);
            costs[code] = std::max<std::int64_t>(
                ranges.costs[first[block] * ranges.n_blocks + last[block]] - ranges.rebates[code], 0);
        }
        decoded.n_groups[column] = static_cast<std::size_t>(n_ranges) + (ranges.has_missing() ? 1 : 0);
    }
    decoded.places[column] = groups;
}

Genes Code::encode(const Places& levels) const {
    Genes genes(n_genes(), 0);
    for (std::size_t j = 0; j < kinds_.size(); ++j) {
        if (n_genes_of(j) == 0) continue;
        if (kinds_[j] == Kind::level) {
            std::int32_t highest = 0;
            for (const std::int32_t code : nodes_[j].codes)
                highest = std::max(highest, levels[j][static_cast<std::size_t>(code)]);
            genes[begin(j)] = static_cast<std::uint8_t>(highest);
        } else if (kinds_[j] == Kind::tree) {
            for (const std::size_t node : inner_[j]) {
                const auto code = static_cast<std::size_t>(nodes_[node].codes.front());
                genes[gene_of_[node]] = levels[j][code] < nodes_[node].level ? 1 : 0;
            }
        } else {
            encode_line(j, levels[j], genes);
        }
    }
    return genes;
}

// Cut where neighbours among the values that rows have are published differently.
void Code::encode_line(std::size_t column, const std::vector<std::int32_t>& levels, Genes& genes) const {
    const Ladder& ladder = task_.ladders.columns()[column];
    const Ranges& ranges = task_.ranges[column];
    std::size_t first_gene = begin(column);
    if (ranges.has_missing())
        genes[first_gene++] = levels.back() < static_cast<std::int32_t>(ladder.n_levels) - 1 ? 1 : 0;
    const auto group = [&](std::size_t code) { return ladder.groups_at(static_cast<std::size_t>(levels[code]))[code]; };
    std::size_t before = ladder.n_codes;
    for (const std::int32_t one : nodes_[column].codes) {
        const auto code = static_cast<std::size_t>(one);
        const std::int32_t block = ranges.block_of[code];
        if (block < 0) break;
        if (before < ladder.n_codes && block != ranges.block_of[before] &&
            (levels[code] != levels[before] || group(code) != group(before)))
            genes[first_gene + static_cast<std::size_t>(block) - 1] = 1;
        before = code;
    }
}

Genes Code::cross(const Genes& one, const Genes& other, Random& random) const {
    Genes child(one);
    for (const std::size_t column : able_) {
        const std::size_t n = n_genes_of(column);
        const bool is_within = n > 1 && random.chance(0.25F);
        const bool is_other = random.chance(0.5F);
        std::size_t first = begin(column), last = ends_[column];
        if (is_within) {
            (is_other ? first : last) = begin(column) + 1 + random.below(n - 1);
        } else if (!is_other) {
            continue;
        }
        std::copy(other.begin() + static_cast<std::ptrdiff_t>(first), other.begin() + static_cast<std::ptrdiff_t>(last),
                  child.begin() + static_cast<std::ptrdiff_t>(first));
    }
    tidy(child);
    return child;
}

void Code::mutate(Genes& genes, Random& random) const {
    do {
        const std::size_t column = able_[random.below(able_.size())];
        if (kinds_[column] == Kind::level) {
            mutate_level(column, genes, random);
        } else if (kinds_[column] == Kind::tree) {
            mutate_tree(column, genes, random);
        } else {
            mutate_line(column, genes, random);
        }
    } while (random.chance(chance_of_another));
}

void Code::mutate_level(std::size_t column, Genes& genes, Random& random) const {
    std::uint8_t& level = genes[begin(column)];
    const std::size_t n_levels = task_.ladders.columns()[column].n_levels;
    const bool is_up = level == 0 || (level + 1U < n_levels && random.chance(0.5F));
    level = static_cast<std::uint8_t>(is_up ? level + 1 : level - 1);
}

void Code::tidy(Genes& genes) const {
    for (std::size_t j = 0; j < kinds_.size(); ++j) {
        if (kinds_[j] != Kind::tree) continue;
        for (const std::size_t node : inner_[j])  // parents before their children
            genes[gene_of_[node]] &= parent_of_[node] == node ? 1U : genes[gene_of_[parent_of_[node]]];
    }
}

void Code::mutate_tree(std::size_t column, Genes& genes, Random& random) const {
    for (int attempt = 0; attempt < n_most_attempts; ++attempt) {
        const std::size_t node = inner_[column][random.below(inner_[column].size())];
        if (parent_of_[node] != node && genes[gene_of_[parent_of_[node]]] == 0) continue;
        genes[gene_of_[node]] ^= 1U;
        return tidy(genes);
    }
}

void Code::mutate_line(std::size_t column, Genes& genes, Random& random) const {
    const std::size_t first = begin(column), n = n_genes_of(column);
    const std::size_t place = first + random.below(n);
    const bool is_first_of_blocks = place == first + (task_.ranges[column].has_missing() ? 1 : 0);
    if (genes[place] != 0 && !is_first_of_blocks && place > first && random.chance(0.5F)) {
        std::swap(genes[place], genes[place - 1]);  // the cut moves by a block
    } else {
        genes[place] ^= 1U;
    }
}

}  // namespace celosia
