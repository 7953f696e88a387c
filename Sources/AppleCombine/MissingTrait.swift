// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if !canImport(Darwin) && !Publishers

// Stand-ins for the names that source files use first. Each error states the fix.

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public protocol Publisher {}

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public enum Publishers {}

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public struct AnyPublisher<Output, Failure: Error> {}

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public final class AnyCancellable {}

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public final class PassthroughSubject<Output, Failure: Error> {}

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public final class CurrentValueSubject<Output, Failure: Error> {}

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public struct Just<Output> {}

@available(*, unavailable, message: "Combine on Linux needs the trait Publishers of the package dialtone")
public protocol ObservableObject: AnyObject {}

#endif
