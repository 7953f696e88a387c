// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if !canImport(Darwin) && !Publishers

// Stand-ins for the names that source files use first, with the members that make a first line compile: the compiler
// states the fix only for an expression without other errors. It prefers the declaration of another module that is
// available.

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public protocol Publisher {}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public enum Publishers {}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public struct AnyPublisher<Output, Failure: Error> {
    public init() {}
    public func map<T>(_ transform: @escaping (Output) -> T) -> AnyPublisher<T, Failure> { AnyPublisher<T, Failure>() }
    public func receive(on scheduler: some Any) -> Self { self }
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { AnyCancellable {} }
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public final class AnyCancellable: Hashable {
    public init(_ cancel: @escaping () -> Void) {}
    public func store(in set: inout Set<AnyCancellable>) {}
    public static func == (first: AnyCancellable, second: AnyCancellable) -> Bool { first === second }
    public func hash(into hasher: inout Hasher) {}
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public final class PassthroughSubject<Output, Failure: Error> {
    public init() {}
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public final class CurrentValueSubject<Output, Failure: Error> {
    public init(_ value: Output) {}
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public struct Just<Output> {
    public init(_ output: Output) {}
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public protocol ObservableObject: AnyObject {}

#endif
