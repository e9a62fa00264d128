// MD5 (RFC 1321), SHA-1 and SHA-512 (FIPS 180-4) of many short values at once.
//
// They exist only to attack columns of unkeyed digests (celosia.unhashing), which are hashed by these algorithms in
// practice. They are never used to make pseudonyms: that is HMAC-SHA-256 under a key, sha256.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "byte_rows.hpp"

namespace celosia {

constexpr std::size_t md5_bytes = 16;
constexpr std::size_t sha1_bytes = 20;
constexpr std::size_t sha512_bytes = 64;

// The digests one after the other. All throw std::invalid_argument if the offsets do not ascend within the data.
std::vector<std::uint8_t> md5(const ByteRows& rows, int n_threads);
std::vector<std::uint8_t> sha1(const ByteRows& rows, int n_threads);
std::vector<std::uint8_t> sha512(const ByteRows& rows, int n_threads);

}  // namespace celosia
