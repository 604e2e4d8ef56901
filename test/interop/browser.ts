import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { type PageReport, pageHtml, pageScript, type StrangerReport } from './browserPage.ts'
import type { Checks } from './checks.ts'
import { type Chromium, findChromium, startChromium } from './chromium.ts'
import type { Interop } from './interop.ts'
import { accounts, type ToolChain, withDevChain, withQbftChain, withSigner } from './toolChain.ts'

/** The files of a page, no matter who serves it. */
function pageFiles(): Readonly<Record<string, string>> {
  const ethers = readFileSync(join(packageRoot, 'node_modules/ethers/dist/ethers.umd.min.js'), 'utf8')
  return { 'page.html': pageHtml, 'page.js': pageScript, 'ethers.js': ethers }
}

/** Serves the page on this machine, under every name. */
async function servePage(files: Readonly<Record<string, string>>): Promise<Server> {
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? ''
    response.setHeader('content-type', name.endsWith('.html') ? 'text/html' : 'text/javascript')
    response.writeHead(name in files ? 200 : 404).end(files[name])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Writes an extension as wallets are one; returns its origin, which follows from its folder. */
function writeExtension(folder: string, files: Readonly<Record<string, string>>): string {
  const manifest = {
    manifest_version: 3,
    name: 'wallet',
    version: '1',
    host_permissions: ['http://*/*', 'https://*/*'],
  }
  mkdirSync(folder)
  for (const [name, content] of Object.entries({ ...files, 'manifest.json': JSON.stringify(manifest) }))
    writeFileSync(join(folder, name), content)
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32)
  const id = [...digest].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')
  return `chrome-extension://${id}`
}

/** Pages of this machine and of a wallet do what MetaMask does. */
async function useWallet(checks: Checks, browser: Chromium, chain: ToolChain, origin: string): Promise<void> {
  const name = `${chain.name}: ${origin.replace(/:\d+$/, '')}`
  const script = `wallet('${chain.url}', '${chain.wsUrl}', '${accounts[0]!.key}')`
  const report = await checks.step(`${name}: MetaMask's calls`, () =>
    browser.evaluate<PageReport>(`${origin}/page.html`, script),
  )
  if (!report) return
  checks.equal(`${name}: origin`, report.origin, origin)
  checks.equal(`${name}: chain id`, report.results['eth_chainId'], '0x539')
  checks.equal(`${name}: gas of a transfer`, report.results['eth_estimateGas'], '0x5208')
  checks.equal(`${name}: transfer`, report.status, '0x1')
  checks.equal(`${name}: subscription`, /^0x[1-9a-f]/.test(report.head), true)
}

/** A page does what Remix does with an external provider. */
async function useSigner(checks: Checks, browser: Chromium, signer: ToolChain, origin: string): Promise<void> {
  const name = `${signer.name}: ${origin.replace(/:\d+$/, '')}`
  const report = await checks.step(`${name}: Remix's calls`, () =>
    browser.evaluate<PageReport>(`${origin}/page.html`, `ide('${signer.url}')`),
  )
  if (!report) return
  checks.equal(`${name}: client`, /^quoin\//.test(String(report.results['web3_clientVersion'])), true)
  checks.equal(`${name}: deployment`, report.status, '0x1')
  checks.equal(`${name}: call`, Number(report.results['eth_call']), 42)
}

/** A page of others can do nothing. */
async function refuseStranger(checks: Checks, browser: Chromium, chain: ToolChain, origin: string): Promise<void> {
  const before = await chain.call('eth_blockNumber')
  const script = `stranger('${chain.url}', '${chain.wsUrl}')`
  const report = await browser.evaluate<StrangerReport>(`${origin}/page.html`, script)
  const name = `${chain.name}: a page of others`
  checks.equal(`${name}: origin`, report.origin, origin)
  checks.equal(`${name}: HTTP`, report.http, 'Failed to fetch')
  checks.equal(`${name}: WebSocket`, report.ws, 'WebSocket refused')
  if (chain.name.startsWith('dev')) checks.equal(`${name}: makes no block`, await chain.call('eth_blockNumber'), before)
}

export const browser: Interop = {
  name: 'browser',
  doc: "Chromium with pages and an extension that talk to the node as MetaMask and Remix do, and a stranger's page.",
  async whyNot() {
    if (findChromium()) return undefined
    return 'there is no Chromium: install it (Debian: apt install chromium), or name the program in CHROMIUM'
  },
  async run({ checks, folder }) {
    const files = pageFiles()
    const extension = join(folder, 'extension')
    const walletOrigin = writeExtension(extension, files)
    const server = await servePage(files)
    const { port } = server.address() as AddressInfo
    const chromium = await startChromium(findChromium()!, join(folder, 'profile'), [
      `--load-extension=${extension}`,
      '--disable-features=DisableLoadExtensionCommandLineSwitch',
      `--host-resolver-rules=MAP *.example 127.0.0.1`,
    ])
    const [local, loopback] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
    const [remix, evil] = [`http://remix.example:${port}`, `http://evil.example:${port}`]
    try {
      for (const withChain of [withDevChain, withQbftChain])
        await withChain(folder, async (chain) => {
          for (const origin of [local, loopback, walletOrigin]) await useWallet(checks, chromium, chain, origin)
          await refuseStranger(checks, chromium, chain, evil)
          await withSigner(folder, chain, async (signer) => {
            await useSigner(checks, chromium, signer, local)
            await refuseStranger(checks, chromium, signer, evil)
          })
          const asDocumented = [`--cors-origins=http://remix\\.example:${port}`]
          await withSigner(folder, chain, (signer) => useSigner(checks, chromium, signer, remix), asDocumented)
        })
    } finally {
      await chromium.stop()
      server.close()
    }
  },
}
