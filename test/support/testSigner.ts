import { devAccounts } from '../../src/forks/devGenesis.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { createKeyring } from '../../src/signer/keyring.ts'
import { type SignerOptions, startSigner } from '../../src/signer/startSigner.ts'
import { createLoggers } from '../../src/system/logger.ts'

/** A signer with the development keys, on a free port. */
export interface TestSigner {
  readonly url: string
  readonly wsUrl: string
  /** What it has logged so far. */
  logged(): string
  /** Posts a text and returns the response. */
  post(body: string, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

/** Starts a signer in front of a node. */
export async function startTestSigner(
  node: { readonly url: string; readonly wsUrl: string },
  options: Partial<SignerOptions> = {},
): Promise<TestSigner> {
  let lines = ''
  const log = createLoggers({ level: 'trace', pretty: false, color: false, write: (line) => void (lines += line) })
  const server = await startSigner(
    {
      host: '127.0.0.1',
      port: 0,
      nodeUrl: new URL(node.url),
      nodeWsUrl: new URL(node.wsUrl),
      timeout: 60_000,
      chainId: undefined,
      passOthers: false,
      hostAllowlist: ['localhost', '127.0.0.1'],
      corsOrigins: [],
      ...options,
    },
    createKeyring(devAccounts.map(({ privateKey }) => fromHex(privateKey))),
    log,
  )
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    wsUrl: `ws://127.0.0.1:${server.port}`,
    logged: () => lines,
    post: (body, headers = {}) => fetch(url, { method: 'POST', body, headers }),
    close: () => server.close(),
  }
}
