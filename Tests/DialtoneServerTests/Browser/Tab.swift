// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import SystemSupport
import TestSupport

/// A page in a browser.
struct Tab: Sendable {
    let browser: Browser
    private let session: String
    private let runsScripts: Bool

    /// Opens an address.
    ///
    /// - Parameter runsScripts: whether the page may run its own JavaScript.
    init(_ browser: Browser, _ address: String, runsScripts: Bool = true) async throws {
        self.browser = browser
        self.runsScripts = runsScripts
        let target = try await browser.call("Target.createTarget", ["url": "about:blank"])
        let identifier = target["result.targetId"] as? String ?? ""
        let attached = try await browser.call(
            "Target.attachToTarget", ["targetId": identifier, "flatten": true])
        session = attached["result.sessionId"] as? String ?? ""
        for domain in ["Page", "Runtime", "Log", "Accessibility"] { _ = try await call("\(domain).enable") }
        if !runsScripts { _ = try await call("Emulation.setScriptExecutionDisabled", ["value": true]) }
        _ = try await call("Page.navigate", ["url": address])
        try await wait("location.href !== 'about:blank' && document.readyState === 'complete'")
    }

    func call(_ method: String, _ parameters: [String: any Sendable] = [:]) async throws -> Browser.Message {
        try await browser.call(method, parameters, session: session)
    }

    /// Evaluates an expression and returns its value as text.
    @discardableResult
    func evaluate(_ expression: String) async throws -> String {
        let answer = try await call(
            "Runtime.evaluate",
            ["expression": "Promise.resolve(\(expression)).then(String)", "awaitPromise": true, "returnByValue": true])
        if let trouble = answer["result.exceptionDetails"] {
            throw Browser.Trouble(description: "\(expression): \(trouble)")
        }
        return answer["result.result.value"] as? String ?? ""
    }

    /// Waits until an expression is true: it is evaluated again whenever the page changes.
    func wait(_ expression: String) async throws {
        guard runsScripts else { return try await ask(expression) }
        let script = """
            new Promise((done) => {
              const isTrue = () => { try { return Boolean(\(expression)); } catch { return false; } };
              if (isTrue()) return done(true);
              const look = () => { if (isTrue()) { observer.disconnect(); clearInterval(timer); done(true); } };
              const observer = new MutationObserver(look);
              observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
              const timer = setInterval(look, 200);
            })
            """
        do {
            try await evaluate(script)
        } catch let trouble as Browser.Trouble where trouble.description.contains("navigated") {
            // The page has been replaced; continue with its successor.
            try await wait(expression)
        } catch {
            let text = (try? await evaluate("document.body.innerText")) ?? ""
            let requests = """
                performance.getEntriesByType('resource').slice(-12)
                .map(e => [e.name, e.responseStatus, Math.round(e.startTime)].join(' ')).join('\\n')
                """
            let requested = (try? await evaluate(requests)) ?? ""
            throw Browser.Trouble(
                description: "never: \(expression)\n\(error)\n\(text.prefix(1500))\n\(requested)\n\(complaints)")
        }
    }

    /// Polls, because the page cannot run a script that reports changes.
    private func ask(_ expression: String) async throws {
        let end = TimeSource.system.now + .seconds(90)
        while TimeSource.system.now < end {
            // An element that comes later in the document is there when all of it is.
            let asked = """
                (() => { try { return document.readyState === 'complete' && Boolean(\(expression)); }
                catch { return false; } })()
                """
            // A page that is being unloaded does not respond.
            if (try? await evaluate(asked)) == "true" { return }
            try await TimeSource.system.sleep(for: .milliseconds(100))
        }
        throw Browser.Trouble(description: "never: \(expression)")
    }

    /// Waits until the verdict has this text.
    func waitForVerdict(_ text: String) async throws {
        try await wait("document.querySelector('#verdict-text').textContent === '\(text)'")
    }

    /// Clicks the button with this text.
    func press(_ words: String) async throws {
        let button = "[...document.querySelectorAll('button')].find(b => b.textContent === '\(words)' && !b.hidden)"
        // A page without scripts may reload between two evaluations.
        guard runsScripts else { return try await ask("(\(button).click(), true)") }
        try await wait(button)
        try await evaluate("\(button).click()")
    }

    /// Clicks the link with this text.
    func follow(_ words: String) async throws {
        try await evaluate("[...document.querySelectorAll('main a')].find(a => a.textContent === '\(words)').click()")
    }

    /// Moves the pointer to the centre of an element.
    func point(at selector: String) async throws {
        let place = try await place(of: selector)
        _ = try await call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": place.x, "y": place.y])
    }

    /// Clicks the centre of an element.
    func click(_ selector: String) async throws {
        let place = try await place(of: selector)
        for type in ["mousePressed", "mouseReleased"] {
            _ = try await call(
                "Input.dispatchMouseEvent",
                ["type": type, "x": place.x, "y": place.y, "button": "left", "clickCount": 1])
        }
    }

    /// The centre of an element.
    private func place(of selector: String) async throws -> (x: Double, y: Double) {
        let place = try await evaluate(
            """
            (() => {
              const e = document.querySelector('\(selector)');
              e.scrollIntoView({ block: 'center' });
              const box = e.getBoundingClientRect();
              return [box.left + box.width / 2, box.top + box.height / 2].join();
            })()
            """
        ).split(separator: ",").compactMap { Double($0) }
        guard place.count == 2 else { throw Browser.Trouble(description: "no \(selector)") }
        return (place[0], place[1])
    }

    /// The errors and warnings in the console, except requests that the browser cancelled because an address was added to
    /// its machine, which the page makes again.
    var complaints: [String] {
        browser.said.filter { message in
            if message.text.contains("net::ERR_NETWORK_CHANGED") { return false }
            return switch message.method {
            case "Runtime.exceptionThrown": true
            case "Runtime.consoleAPICalled": ["error", "warning", "assert"].contains(message["params.type"] as? String)
            case "Log.entryAdded": ["error", "warning"].contains(message["params.entry.level"] as? String)
            default: false
            }
        }
        .map(\.text)
    }

    /// The accessibility tree: roles with their names.
    func accessibilityTree() async throws -> [(role: String, name: String)] {
        let nodes = try await call("Accessibility.getFullAXTree")["result.nodes"] as? [[String: Any]] ?? []
        return nodes.filter { $0["ignored"] as? Bool != true }.map { node in
            (
                (node["role"] as? [String: Any])?["value"] as? String ?? "",
                (node["name"] as? [String: Any])?["value"] as? String ?? ""
            )
        }
    }

    /// Sets the width and the colour scheme of the page.
    func show(width: Int, height: Int? = nil, isDark: Bool) async throws {
        _ = try await call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": width, "height": height ?? (width < 500 ? 844 : 900), "deviceScaleFactor": 1,
                "mobile": width < 500,
            ])
        let scheme: [String: String] = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        // Disables transitions, so that no colour is captured while it changes.
        let motion: [String: String] = ["name": "prefers-reduced-motion", "value": "reduce"]
        _ = try await call("Emulation.setEmulatedMedia", ["features": [scheme, motion]])
    }

    /// Saves a screenshot of the whole page to the artefacts.
    func takePicture(_ name: String) async throws {
        let size = try await call("Page.getLayoutMetrics")
        let width = size["result.cssContentSize.width"] as? Double ?? 1280
        let height = size["result.cssContentSize.height"] as? Double ?? 900
        let clip: [String: Double] = ["x": 0, "y": 0, "width": width, "height": min(height, 4000), "scale": 1]
        let picture = try await call(
            "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true, "clip": clip])
        guard let text = picture["result.data"] as? String, let data = Data(base64Encoded: text) else {
            throw Browser.Trouble(description: "no picture")
        }
        let folder = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: ".build/ci/screenshots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appending(path: "\(name).png"))
    }

    /// Saves screenshots in both colour schemes, narrow and wide.
    func takePictures(_ name: String) async throws {
        for (width, size) in [(1280, "wide"), (390, "narrow")] {
            for isDark in [false, true] {
                try await show(width: width, isDark: isDark)
                try await takePicture("\(name)-\(size)-\(isDark ? "dark" : "light")")
            }
        }
        try await show(width: 1280, isDark: false)
    }
}

extension ServeLab {
    /// Starts a server, and opens its page in a browser.
    func open(_ more: [String] = [], _ address: String = "/") async throws -> (Tab, Serving) {
        try await open(address, of: serve(more))
    }

    /// Starts the demo, and opens its page in a browser.
    func openDemo(_ address: String = "/") async throws -> (Tab, Serving) { try await open(address, of: serveDemo()) }

    func open(_ address: String = "/", of serving: Serving) async throws -> (Tab, Serving) {
        let browser = try await Browser.start(in: network.client)
        return (try await Tab(browser, "http://127.0.0.1:\(serving.port)\(address)"), serving)
    }
}
#endif
