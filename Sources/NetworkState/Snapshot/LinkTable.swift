// SPDX-License-Identifier: Apache-2.0

/// Values for links, sorted by the index of the link.
///
/// It is used instead of a `Dictionary` for two reasons. A host has few links, and searching a few is faster than hashing:
/// with dictionaries, a change takes 1,500 instructions more, which is 4 %. For each new type of key, the runtime searches
/// all conformances of the program, which takes about 120,000 instructions before the first path.
package struct LinkTable<Value> {
    package typealias Element = (key: Int32, value: Value)
    /// The values with their indices, in ascending order.
    private(set) var elements: [Element] = []

    init() {}

    /// Creates a table from values with different indices, in any order.
    init(_ elements: some Sequence<Element>) {
        self.elements = elements.sorted { $0.key < $1.key }
    }

    var isEmpty: Bool { elements.isEmpty }
    var values: [Value] { elements.map(\.value) }

    package subscript(key: Int32) -> Value? {
        get {
            let place = place(of: key)
            return isKey(key, at: place) ? elements[place].value : nil
        }
        set {
            let place = place(of: key)
            switch (isKey(key, at: place), newValue) {
            case (true, let value?): elements[place].value = value
            case (true, nil): elements.remove(at: place)
            case (false, let value?): insert((key, value), at: place)
            case (false, nil): break
            }
        }
    }

    subscript(key: Int32, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        _modify {
            let place = place(of: key)
            if !isKey(key, at: place) { insert((key, value()), at: place) }
            yield &elements[place].value
        }
    }

    /// The kernel reports links in order, and appending is faster than inserting.
    private mutating func insert(_ element: Element, at place: Int) {
        if place == elements.count { elements.append(element) } else { elements.insert(element, at: place) }
    }

    func contains(_ key: Int32) -> Bool { isKey(key, at: place(of: key)) }

    /// Returns whether any value meets a condition; unlike a search in `values`, it copies none.
    func containsValue(where condition: (Value) -> Bool) -> Bool {
        elements.contains { condition($0.value) }
    }

    /// The index at which a key is, or would be inserted.
    private func place(of key: Int32) -> Int {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if elements[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isKey(_ key: Int32, at place: Int) -> Bool { place < elements.count && elements[place].key == key }
}

extension LinkTable: Sendable where Value: Sendable {}

extension LinkTable: Equatable where Value: Equatable {
    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.elements.count == rhs.elements.count
            && lhs.elements.indices.allSatisfy { lhs.elements[$0] == rhs.elements[$0] }
    }
}

extension LinkTable: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) {
        for (key, value) in elements {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}

extension LinkTable: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Int32, Value)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}
