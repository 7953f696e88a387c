// SPDX-License-Identifier: Apache-2.0

public import SystemSupport

/// The answer of a network's captive portal API (RFC 8908, section 5).
public struct CaptivePortalState: Hashable, Sendable {
    /// Whether the network blocks this host until a login.
    public var isCaptive: Bool
    /// The login page, for a browser; always `https`.
    public var userPortal: URL?
    /// A page about the venue that runs the network; always `https`.
    public var venueInfo: URL?
    /// Whether the session can be extended at the login page.
    public var canExtendSession: Bool?
    /// The time until the session ends.
    public var remainingTime: Duration?
    /// The number of bytes until the session ends.
    public var remainingBytes: UInt64?

    /// Creates a state, for tests.
    public init(
        isCaptive: Bool, userPortal: URL? = nil, venueInfo: URL? = nil, canExtendSession: Bool? = nil,
        remainingTime: Duration? = nil, remainingBytes: UInt64? = nil
    ) {
        self.isCaptive = isCaptive
        self.userPortal = userPortal
        self.venueInfo = venueInfo
        self.canExtendSession = canExtendSession
        self.remainingTime = remainingTime
        self.remainingBytes = remainingBytes
    }

    /// Reads the JSON of the API.
    ///
    /// Unknown keys are ignored. An optional key of the wrong type, and a page that is not at an `https` URL,
    /// are ignored, too; the key `captive` is required.
    ///
    /// - Throws: `unexpectedAnswer` for other text.
    public init(json: [UInt8]) throws(ProbeError) {
        guard String(validUTF8: json) != nil else { throw CaptivePortalAPI.unexpected("not UTF-8") }
        let wire: Wire
        do {
            wire = try JSONDecoder().decode(Wire.self, from: Data(json))
        } catch {
            throw CaptivePortalAPI.unexpected("not a JSON object with the key captive")
        }
        self.init(
            isCaptive: wire.captive, userPortal: Self.page(wire.userPortal), venueInfo: Self.page(wire.venueInfo),
            canExtendSession: wire.canExtendSession,
            remainingTime: wire.secondsRemaining.flatMap { $0 <= Self.mostSeconds ? .seconds($0) : nil },
            remainingBytes: wire.bytesRemaining)
    }

    /// A century: a larger number is not a plausible duration of a session.
    private static let mostSeconds: UInt64 = 3_155_760_000

    private static func page(_ text: String?) -> URL? {
        guard let url = text.flatMap({ PortalURL.usable($0) }), url.scheme?.lowercased() == "https" else { return nil }
        return url
    }

    private struct Wire: Decodable {
        let captive: Bool
        let userPortal: String?
        let venueInfo: String?
        let canExtendSession: Bool?
        let secondsRemaining: UInt64?
        let bytesRemaining: UInt64?

        private enum Key: String, CodingKey {
            case captive
            case userPortal = "user-portal-url"
            case venueInfo = "venue-info-url"
            case canExtendSession = "can-extend-session"
            case secondsRemaining = "seconds-remaining"
            case bytesRemaining = "bytes-remaining"
        }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            captive = try object.decode(Bool.self, forKey: .captive)
            userPortal = try? object.decode(String.self, forKey: .userPortal)
            venueInfo = try? object.decode(String.self, forKey: .venueInfo)
            canExtendSession = try? object.decode(Bool.self, forKey: .canExtendSession)
            secondsRemaining = try? object.decode(UInt64.self, forKey: .secondsRemaining)
            bytesRemaining = try? object.decode(UInt64.self, forKey: .bytesRemaining)
        }
    }
}
