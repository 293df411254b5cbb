// Installs the service worker of this folder, shows how far it is, and opens the first page.
const line = document.querySelector('#state'), bar = document.querySelector('progress')

function fail(why) {
  line.textContent = why
  bar.hidden = true
}

navigator.serviceWorker?.addEventListener('message', e => {
  if (e.data.failed) fail(`The game could not be downloaded: ${e.data.failed}`)
  if (!e.data.seen) return
  if (e.data.total) bar.value = e.data.seen / e.data.total
  line.textContent = `Downloading: ${(e.data.seen / 1e6).toFixed(1)} MB`
})

async function boot() {
  if (!('serviceWorker' in navigator)) {
    return fail('This browser cannot keep the game: it needs https and service workers, which some private windows do not have.')
  }
  try {
    const made = await navigator.serviceWorker.register('sw.js', { scope: './' })
    const worker = made.installing ?? made.waiting ?? made.active
    worker.addEventListener('statechange', () => {
      if (worker.state === 'redundant' && !bar.hidden) fail('The game could not be downloaded. Reload this page to try again.')
    })
    await navigator.serviceWorker.ready
    location.replace('./')
  } catch (e) {
    fail(`The game could not be installed: ${e.message}`)
  }
}

boot()
