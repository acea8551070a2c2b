// Search runs in a worker, and browsers start none from file://. There, a hidden frame takes its
// place: it loads the same script, and speaks with the page as a worker would.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      this.waiting = []
      this.ready = false
      window.addEventListener("message", event => {
        if (event.source === frame.contentWindow) this.answer(event.data)
      })
      frame.srcdoc =
        "<script>" +
        "var postMessage = data => parent.postMessage(data, '*');" +
        "var importScripts = (...urls) => urls.reduce((before, url) => before.then(() =>" +
        " new Promise((done, failed) => { const script = document.createElement('script');" +
        " script.src = url; script.onload = done; script.onerror = failed;" +
        " document.body.appendChild(script) })), Promise.resolve());" +
        "</scr" + "ipt><body><script src='" + url + "'></scr" + "ipt>"
      frame.onload = () => {
        this.ready = true
        this.waiting.forEach(data => this.postMessage(data))
      }
      this.frame = frame
      document.body.appendChild(frame)
    }

    answer(data) {
      const event = new MessageEvent("message", { data })
      this.dispatchEvent(event)
      if (typeof this.onmessage === "function") this.onmessage(event)
    }

    postMessage(data) {
      if (!this.ready) this.waiting.push(data)
      else {
        const inside = this.frame.contentWindow
        inside.dispatchEvent(new inside.MessageEvent("message", { data }))
      }
    }

    terminate() {
      this.frame.remove()
    }
  }
}
