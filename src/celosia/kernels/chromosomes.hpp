// What the genes of a recoding say: how every value of every column is published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "genetic.hpp"
#include "nodes.hpp"
#include "random.hpp"

namespace celosia {

// Gene after gene, column after column. Of a line or a tree: 1 is cut, 0 is not. Of levels: the level.
using Genes = std::vector<std::uint8_t>;

// One recoding, spelt out.
struct Decoded {
    explicit Decoded(const Ladders& ladders);

    Scheme scheme() const;

    Places places;
    std::vector<std::vector<std::int32_t>> groups;  // [column][code]
    std::vector<std::vector<std::int64_t>> costs;   // [column][code]
    std::vector<std::size_t> n_groups;
};

class Code {
   public:
    explicit Code(const GeneticTask& task);

    std::size_t n_genes() const { return ends_.empty() ? 0 : ends_.back(); }
    void decode(const Genes& genes, Decoded& decoded) const;
    Genes encode(const Places& levels) const;
    // Each column from one of the parents, or its first genes from one and the others from the other.
    Genes cross(const Genes& one, const Genes& other, Random& random) const;
    // Unsets the genes that say nothing: those below a node that is not cut.
    void tidy(Genes& genes) const;
    // Changes a gene or a few.
    void mutate(Genes& genes, Random& random) const;

   private:
    enum class Kind { level, tree, line };

    std::size_t begin(std::size_t column) const { return column == 0 ? 0 : ends_[column - 1]; }
    std::size_t n_genes_of(std::size_t column) const { return ends_[column] - begin(column); }
    void decode_level(std::size_t column, std::int32_t level, Decoded& decoded) const;
    void decode_tree(std::size_t column, const Genes& genes, Decoded& decoded) const;
    void decode_line(std::size_t column, const Genes& genes, Decoded& decoded) const;
    void encode_line(std::size_t column, const std::vector<std::int32_t>& levels, Genes& genes) const;
    void mutate_level(std::size_t column, Genes& genes, Random& random) const;
    void mutate_tree(std::size_t column, Genes& genes, Random& random) const;
    void mutate_line(std::size_t column, Genes& genes, Random& random) const;

    const GeneticTask& task_;
    std::vector<Kind> kinds_;         // [column]
    std::vector<std::size_t> ends_;   // [column]: behind its genes
    std::vector<std::size_t> able_;   // the columns that have genes
    std::vector<Node> nodes_;
    std::vector<std::size_t> gene_of_;                  // [node]
    std::vector<std::size_t> parent_of_;                // [node]; itself: a top
    std::vector<std::vector<std::size_t>> inner_;       // [column]: the nodes that have genes
};

}  // namespace celosia
