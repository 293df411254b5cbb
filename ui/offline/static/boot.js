// Installs the service worker of this folder, shows how far it is, and opens the first page.
const { serviceWorker } = navigator
const line = document.querySelector('#state'), bar = document.querySelector('progress')

function fail(why) {
  line.textContent = why
  bar.hidden = true
}

async function boot() {
  if (!serviceWorker) {
    return fail('This browser cannot keep the game: it needs https and service workers, which some private windows do not have.')
  }
  serviceWorker.onmessage = ({ data: { failed, seen, total } }) => {
    if (failed) fail(`The game could not be downloaded: ${failed}`)
    if (!seen) return
    if (total) bar.value = seen / total
    line.textContent = `Downloading: ${(seen / 1e6).toFixed(1)} MB`
  }
  try {
    const made = await serviceWorker.register('sw.js')
    const worker = made.installing ?? made.waiting ?? made.active
    worker.onstatechange = () => {
      if (worker.state === 'redundant' && !bar.hidden) fail('The game could not be downloaded. Reload this page to try again.')
    }
    await serviceWorker.ready
    location.replace('./')
  } catch (e) {
    fail(`The game could not be installed: ${e.message}`)
  }
}

boot()
