// Runs on every page of the offline site: games are kept for good, and a new version is offered on
// the home page alone.

if (document.querySelector('.over')) navigator.storage?.persist?.()

async function offer() {
  const home = document.querySelector('.home')
  const worker = (await navigator.serviceWorker?.getRegistration())?.waiting
  if (!home || !worker) return
  const p = document.createElement('p')
  const use = document.createElement('button')
  p.className = 'fresh'
  p.role = 'status'
  p.textContent = 'A new version is ready. '
  use.textContent = 'Use it'
  use.onclick = () => worker.postMessage('use')
  p.append(use)
  home.prepend(p)
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload())
  navigator.serviceWorker.addEventListener('message', e => {
    if (e.data.busy) p.firstChild.textContent = 'A new version is ready. Close the other pages first. '
  })
}

offer()
