// Keeps the page connected to its table: through sleep, lost networks and server restarts.

const patience = 40_000 // ms of silence after which a connection counts as dead; the server pings every 15 s
const delays = [300, 1000, 2000, 4000, 8000]

/**
 * Connects. url() is asked each time, and says what was seen last. on has a function for each message that may come, table and
 * people or class, and two more: state(live) when the connection comes and goes, and ask() to look at the table without it, where it does not come.
 */
export function connect(url, on) {
  let source, timer, heard = 0, tries = 0, wanted = true

  function close() {
    clearTimeout(timer)
    timer = 0
    source?.close()
    source = null
  }

  function open() {
    close()
    if (!wanted) return
    heard = Date.now()
    const mine = source = new EventSource(url())
    const hear = e => {
      if (mine !== source) return false
      heard = Date.now()
      tries = 0
      on.state(true)
      return true
    }
    mine.onopen = hear
    mine.addEventListener('ping', hear)
    for (const name of ['table', 'people', 'class']) {
      mine.addEventListener(name, e => { if (hear()) on[name](JSON.parse(e.data)) })
    }
    mine.addEventListener('bye', () => { if (mine === source) again() })
    mine.onerror = () => {
      if (mine !== source) return
      on.state(false)
      again()
    }
  }

  function again() {
    close()
    if (tries > 1) on.ask()
    const delay = delays[Math.min(tries++, delays.length - 1)]
    timer = setTimeout(open, delay * (0.7 + 0.6 * Math.random())) // so that clients do not all return at once
  }

  setInterval(() => {
    if (source && Date.now() - heard > patience) {
      on.state(false)
      open()
    }
  }, 5000)
  addEventListener('online', open)
  if (!('alone' in document.documentElement.dataset)) addEventListener('offline', () => { on.state(false) })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && (!source || source.readyState !== 1 || Date.now() - heard > patience / 2)) open()
  })
  addEventListener('pagehide', () => { wanted = false; close() })
  addEventListener('pageshow', e => {
    wanted = true
    if (e.persisted) open()
  })
  open()
  return { again: open }
}
