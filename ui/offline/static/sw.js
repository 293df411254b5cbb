// The service worker of the offline site: it answers every request below its folder with the
// program, which keeps games in this browser. VERSION is the hash of everything in the folder.
const version = 'VERSION'
const scope = new URL(registration.scope)
const stores = `duel ${scope.pathname} `, store = stores + version
const program = `${scope}duel.${version}.wasm`

importScripts(`wasm_exec.${version}.js`)

// download gets the program: as it is from a host that compresses, else as .gz.
async function download() {
  const probe = await fetch(scope + 'probe.wasm', { cache: 'no-store' })
  await WebAssembly.compile(await probe.arrayBuffer()) // the policy for this file may forbid it
  const packed = !probe.headers.has('Content-Encoding')
  const { ok, status, headers, body } = await fetch(program + (packed ? '.gz' : ''), { cache: 'no-store' })
  if (!ok) throw new Error(`The host answered ${status}.`)
  const total = packed && headers.get('Content-Length')
  let seen = 0
  let stream = body.pipeThrough(new TransformStream({
    transform(chunk, to) {
      seen += chunk.length
      report({ seen, total })
      to.enqueue(chunk)
    }
  }))
  if (packed && !headers.has('Content-Encoding')) stream = stream.pipeThrough(new DecompressionStream('gzip'))
  const cache = await caches.open(store)
  await cache.put(program, new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }))
}

// pages returns the open pages of this folder, and no others of the host.
async function pages() {
  const all = await clients.matchAll({ includeUncontrolled: true })
  return all.filter(page => page.url.startsWith(scope))
}

async function report(message) {
  for (const page of await pages()) page.postMessage(message)
}

let started
async function start() {
  if (!await caches.match(program)) await download() // the browser may have cleared it
  const go = new Go()
  const { instance } = await WebAssembly.instantiateStreaming(await caches.match(program), go.importObject)
  return new Promise((resolve, reject) => {
    self.duelReady = (answer, failed) => answer ? resolve(answer) : reject(new Error(failed))
    go.run(instance).then(() => { started = undefined })
  })
}

async function answer(request) {
  try {
    const headers = new Headers(request.headers)
    const own = request.mode !== 'navigate' || request.referrer.startsWith(scope) // for Firefox
    if (own && !headers.has('Origin')) headers.set('Origin', scope.origin)
    if (request.method === 'POST' && !headers.has('Origin')) {
      return new Response('The request came from another site.\n', { status: 403 })
    }
    const body = new Uint8Array(await request.arrayBuffer())
    started ??= start().catch(e => { started = undefined; throw e })
    const handle = await started
    return await new Promise((resolve, reject) => handle(request.method, request.url, [...headers], body, resolve, reject))
  } catch (e) {
    return new Response(`This page cannot be shown: ${e.message ?? e}\n`, { status: 500 })
  }
}

addEventListener('install', event => {
  // Otherwise Chromium also asks the host for a page while the worker starts.
  event.addRoutes?.({ condition: { requestMode: 'navigate' }, source: 'fetch-event' })
  event.waitUntil(download().catch(async e => {
    await report({ failed: e.message })
    throw e
  }))
})

addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(stores) && name !== store) await caches.delete(name)
  }
  await clients.claim()
})()))

addEventListener('fetch', event => {
  const { url } = event.request
  if (!url.startsWith(scope)) return
  event.respondWith(url === scope + 'index.html' ? Response.redirect(scope) : answer(event.request))
})

// A version never changes under a running game: it is used when no other page is open.
addEventListener('message', async event => {
  if (event.data !== 'use') return
  if ((await pages()).length > 1) event.source.postMessage({ busy: true })
  else skipWaiting()
})
