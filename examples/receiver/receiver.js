// A receiver of webhooks that uses only Node's own modules.
//
//     node receiver.js 9000 webhook-secret
//
// It listens on 127.0.0.1 behind a proxy that ends TLS. The second argument is a file
// with the signing secrets, one per line: two during a rotation.
'use strict'
const crypto = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')

const TOLERANCE = 300 // seconds
const MAX_BODY = 1 << 20

// verify reports whether one of the secrets signed body, a Buffer, at most TOLERANCE
// seconds from now.
function verify(body, header, secrets, now) {
  const entries = header.split(',')
  const times = entries.filter((e) => e.startsWith('t=')).map((e) => e.slice(2))
  const signatures = entries.filter((e) => e.startsWith('v1=')).map((e) => Buffer.from(e.slice(3)))
  if (times.length !== 1 || !/^[0-9]{1,11}$/.test(times[0])) return false
  if (Math.abs(now - Number(times[0])) > TOLERANCE) return false
  return secrets.some((secret) => {
    const mac = crypto.createHmac('sha256', secret).update(times[0] + '.').update(body)
    const want = Buffer.from(mac.digest('hex'))
    return signatures.some((got) => got.length === want.length && crypto.timingSafeEqual(got, want))
  })
}

const seen = new Set() // in production: a table with the event id as primary key

async function receive(request) {
  const chunks = [] // verify the bytes as received: no middleware may parse them before
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk)
  }
  if (size > MAX_BODY) return 413
  const body = Buffer.concat(chunks)
  const secrets = fs.readFileSync(process.argv[3], 'ascii').split(/\s+/).filter(Boolean)
  const header = request.headers['x-service-signature'] ?? ''
  if (!verify(body, header, secrets, Date.now() / 1000)) return 400
  const event = JSON.parse(body)
  if (!seen.has(event.id)) {
    seen.add(event.id)
    console.log('verified', event.type, event.id) // in production: queue the work
  }
  return 204
}

const server = http.createServer({ requestTimeout: 10_000 }, (request, response) => {
  receive(request)
    .catch(() => 500)
    .then((status) => response.writeHead(status).end())
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
