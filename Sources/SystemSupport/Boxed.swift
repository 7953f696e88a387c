// SPDX-License-Identifier: Apache-2.0

/// A large member of a value, kept on the heap.
///
/// Copying the value retains one reference instead of copying every part of the member, and takes less code.
@propertyWrapper
package enum Boxed<Value> {
    indirect case stored(Value)

    package init(wrappedValue: Value) { self = .stored(wrappedValue) }

    package var wrappedValue: Value {
        get {
            switch self {
            case .stored(let value): value
            }
        }
        set { self = .stored(newValue) }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
