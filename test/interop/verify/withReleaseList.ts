import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { outputOf } from '../command.ts'
import { compilers } from './contracts.ts'

const host = 'binaries.soliditylang.org'
const list = `https://${host}/bin/list.txt`

const isReachable = () =>
  fetch(list, { method: 'HEAD', signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Forge asks the site of solc for the list of its releases before it sends anything, even for a version that is given whole. Where
 * that cannot be reached a server here answers in its place; `action` gets the environment in which forge finds it.
 */
export async function withReleaseList(
  folder: string,
  action: (env: NodeJS.ProcessEnv) => Promise<void>,
): Promise<void> {
  if (await isReachable()) return action({})
  const { certificate, ...identity } = await makeIdentity(folder)
  const answer: RequestListener = (_, response) =>
    void response.end(
      Object.values(compilers)
        .map((version) => `soljson-v${version}.js\n`)
        .join(''),
    )
  const site = createTlsServer(identity, answer)
  // Forge comes through this one, which takes every connection for one to that site.
  const proxy = createServer().on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    site.emit('connection', socket)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  try {
    await action({ HTTPS_PROXY: `http://127.0.0.1:${port}`, SSL_CERT_FILE: certificate })
  } finally {
    proxy.close()
    site.close()
  }
}

/** A certificate for that site, and the one of its own authority. */
async function makeIdentity(folder: string) {
  const file = (name: string) => join(folder, name)
  const openssl = (args: string) => outputOf('openssl', args.split(' '), { cwd: folder })
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  await openssl(`req -x509 ${key} -keyout authority.key -out authority.pem -days 2 -subj /CN=interop`)
  await openssl(`req ${key} -keyout site.key -out site.csr -subj /CN=${host}`)
  writeFileSync(file('site.ext'), `subjectAltName=DNS:${host}\n`)
  await openssl(
    'x509 -req -in site.csr -CA authority.pem -CAkey authority.key -CAcreateserial -out site.pem -days 2 -extfile site.ext',
  )
  return {
    ...{ key: readFileSync(file('site.key')), cert: readFileSync(file('site.pem')) },
    certificate: file('authority.pem'),
  }
}
