import { join } from 'node:path'
import { parseUsers } from '../../../src/auth/credentials.ts'
import { resolveConfig } from '../../../src/config/resolveConfig.ts'
import { lookUpHost } from '../../../src/node/lookUpHost.ts'
import { networkOptionsOf, resolveNames } from '../../../src/node/options/networkOptions.ts'
import { openAccountsAllowlist } from '../../../src/permissioning/accountsAllowlist.ts'
import { openNodesAllowlist } from '../../../src/permissioning/nodesAllowlist.ts'
import { createCliHarness } from '../../support/cliHarness.ts'
import type { Data } from '../data.ts'
import type { Case } from '../suite.ts'
import { expectFailure, expectSame } from './expect.ts'

interface PermissionsCase {
  readonly name: string
  /** Null stands for an empty file. */
  readonly toml: string | null
  readonly nodes: boolean
  readonly accounts: boolean
  readonly dns?: boolean
  readonly expect?: { readonly accounts?: string[]; readonly nodes?: string[]; readonly nodeCount?: number }
  readonly error?: string
  readonly errorAlso?: string
}

interface CredentialsCase {
  readonly name: string
  readonly toml: string
  readonly valid: boolean
  readonly error?: string
}

interface StaticNodesCase {
  readonly name: string
  readonly content: string | null
  readonly dns: boolean
  readonly dnsUpdate?: boolean
  readonly count?: number
  readonly error?: string
}

async function withFile(text: string, action: (file: string, dir: string) => Promise<void>): Promise<void> {
  const cli = createCliHarness()
  try {
    cli.write('file', text)
    await action(join(cli.dir, 'file'), cli.dir)
  } finally {
    cli.remove()
  }
}

async function checkPermissions(one: PermissionsCase, path: string): Promise<void> {
  const lookUp = one.dns ? lookUpHost : undefined
  const open = async () => ({
    accounts: one.accounts ? openAccountsAllowlist(path).list() : undefined,
    nodes: one.nodes
      ? (await openNodesAllowlist({ path, ownId: new Uint8Array(64), fixed: [], lookUp })).list()
      : undefined,
  })
  if (one.error !== undefined) return expectFailure(open, ...messagesOf(one))
  const found = await open()
  const { accounts, nodes, nodeCount } = one.expect!
  if (accounts) expectSame('accounts', found.accounts, accounts)
  if (nodes) expectSame('nodes', found.nodes, nodes)
  if (nodeCount !== undefined) expectSame('number of nodes', found.nodes?.length, nodeCount)
}

/** The parsers of TOML describe a fault in words of their own; what matters is that the file is called invalid. */
function messagesOf({ error, errorAlso }: PermissionsCase): string[] {
  const text = error === 'Unexpected end of line' ? 'Invalid TOML configuration' : error!
  return errorAlso === undefined ? [text] : [text, errorAlso]
}

async function checkStaticNodes({ dns, dnsUpdate, count, error }: StaticNodesCase, file: string, dir: string) {
  const flags = new Map([['static-nodes-file', file]])
  if (dns) flags.set('Xdns-enabled', 'true')
  if (dnsUpdate) flags.set('Xdns-update-enabled', 'true')
  const read = async () => {
    const wanted = networkOptionsOf(resolveConfig(flags, {}).config, dir)
    return resolveNames(wanted, dns ? lookUpHost : undefined, dnsUpdate ? () => undefined : undefined).then(
      () => wanted.staticNodes,
    )
  }
  if (error !== undefined) return expectFailure(read)
  expectSame('static nodes', (await read()).length, count)
}

/** Besu's permissions files, credentials files and lists of static nodes. */
export function* listCases(data: Data): Iterable<Case> {
  const list = <T>(file: string) => data.json(`besu-config/${file}`) as readonly T[]
  for (const one of list<PermissionsCase>('permissioning-toml.json'))
    yield {
      name: `permissioning/${one.name}`,
      run: () => withFile(one.toml ?? '', (file) => checkPermissions(one, file)),
    }
  for (const { name, toml, valid, error = '' } of list<CredentialsCase>('rpc-auth-toml.json'))
    yield {
      name: `rpc-auth/${name}`,
      run: () => (valid ? void parseUsers(toml, 'HTTP') : expectFailure(() => parseUsers(toml, 'HTTP'), error)),
    }
  for (const one of list<StaticNodesCase>('static-nodes.json'))
    yield {
      name: `static-nodes/${one.name}`,
      run: () => withFile(one.content ?? '', (file, dir) => checkStaticNodes(one, file, dir)),
    }
}
