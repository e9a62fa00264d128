// An array that starts on a cache line, so that no vector load of a block crosses two of them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace celosia {

template <class T>
class Buffer {
   public:
    Buffer() = default;
    explicit Buffer(std::size_t size)
        : data_(static_cast<T*>(::operator new(size * sizeof(T) + alignment, std::align_val_t{alignment}))) {}

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T& operator[](std::size_t i) const { return data_.get()[i]; }

   private:
    static constexpr std::size_t alignment = 64;
    struct Free {
        void operator()(T* data) const { ::operator delete(data, std::align_val_t{alignment}); }
    };
    std::unique_ptr<T, Free> data_;
};

}  // namespace celosia
