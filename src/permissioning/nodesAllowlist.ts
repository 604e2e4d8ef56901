import { type Enode, formatEnode } from '../net/enode.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { createAllowlist, type Entry } from './allowlist.ts'
import { AllowlistError, PermissionsFileError } from './fault.ts'
import { entryOfNode, type LookUp, parseNode, resolveNode } from './nodeEntry.ts'
import { readList } from './permissionsFile.ts'
import type { NodeRule } from './rules.ts'

export interface NodesAllowlistOptions {
  readonly path: string
  readonly ownId: Uint8Array
  /** Bootnodes and static nodes, which must be listed and cannot be removed. */
  readonly fixed: readonly Enode[]
  /** Undefined where names are not allowed. */
  readonly lookUp: LookUp | undefined
}

/** The nodes that may be connected. */
export interface NodesAllowlist {
  readonly rule: NodeRule
  /** Enode URLs, oldest first. */
  list(): readonly string[]
  /** Adds nodes, all or none; throws an AllowlistError. */
  add(texts: readonly unknown[]): Promise<void>
  /** Removes nodes, all or none; throws an AllowlistError. */
  remove(texts: readonly unknown[]): Promise<void>
  /** Reads the file; the function that it returns replaces the list. Throws a PermissionsFileError. */
  read(): Promise<() => void>
  /** Looks up the host names of the file again; a name that is not found keeps its address. */
  refreshNames(): Promise<void>
}

const keys = { key: 'nodes-allowlist', oldKey: 'nodes-whitelist' }

/** Reads the nodes of a permissions file; throws a PermissionsFileError. */
export async function openNodesAllowlist(options: NodesAllowlistOptions): Promise<NodesAllowlist> {
  const { path, ownId, fixed, lookUp } = options
  const entries = await readNodes(path, lookUp)
  const unlisted = fixed.filter((node) => !entries.some(({ value }) => isSameEndpoint(value, node)))
  if (unlisted.length) throw new PermissionsFileError({ code: 'NODES_NOT_LISTED', nodes: unlisted.map(formatEnode) })
  const list = createAllowlist({ path, keys, keyOf: keyOfText, entries })

  function isListed(node: Enode): boolean {
    return equalBytes(node.id, ownId) || list.entries().some(({ value }) => isSameEndpoint(value, node))
  }

  return {
    rule: { allows: (source, destination) => isListed(source) && isListed(destination), onChange: list.onChange },
    list: () => list.entries().map(({ key }) => key),
    async add(texts) {
      const nodes = await parseRequest(texts, lookUp)
      if (nodes.some(({ key }) => list.has(key))) throw new AllowlistError({ code: 'NODE_EXISTS' })
      list.add(nodes)
    },
    async remove(texts) {
      const nodes = await parseRequest(texts, lookUp)
      const isFixed = ({ key }: Entry<Enode>) => fixed.some((node) => entryOfNode(node).key === key)
      if (nodes.some(isFixed)) throw new AllowlistError({ code: 'NODE_FIXED' })
      if (!nodes.every(({ key }) => list.has(key))) throw new AllowlistError({ code: 'NODE_ABSENT' })
      list.remove(nodes.map(({ key }) => key))
    },
    async read() {
      const nodes = await readNodes(path, lookUp)
      return () => list.replace(nodes)
    },
    async refreshNames() {
      const fresh = new Map<string, Entry<Enode>>()
      for (const entry of list.entries()) {
        const node = await resolveNode(entry.text, lookUp)
        if (!('problem' in node) && node.key !== entry.key) fresh.set(entry.key, node)
      }
      if (fresh.size) list.replace(list.entries().map((entry) => fresh.get(entry.key) ?? entry))
    },
  }
}

/** As in Besu, the discovery port does not count: a connection does not show it. */
function isSameEndpoint(a: Enode, b: Enode): boolean {
  return a.tcpPort === b.tcpPort && a.ip === b.ip && equalBytes(a.id, b.id)
}

function keyOfText(text: string): string | undefined {
  const node = parseNode(text)
  return 'problem' in node ? undefined : node.key
}

async function readNodes(path: string, lookUp: LookUp | undefined): Promise<readonly Entry<Enode>[]> {
  const { items } = readList(path, keys)
  return Promise.all(
    items.map(async (text) => {
      const node = await resolveNode(text, lookUp)
      if ('problem' in node) throw new PermissionsFileError({ code: 'INVALID_NODE', path, text, reason: node.problem })
      return node
    }),
  )
}

/** Checks the nodes of a request, in the order of Besu. Names are written as the addresses that they have now. */
async function parseRequest(texts: readonly unknown[], lookUp: LookUp | undefined): Promise<readonly Entry<Enode>[]> {
  if (texts.length === 0) throw new AllowlistError({ code: 'NODES_EMPTY' })
  if (new Set(texts).size < texts.length) throw new AllowlistError({ code: 'NODES_DUPLICATE' })
  const nodes = await Promise.all(
    texts.map(async (text) => {
      const node = typeof text === 'string' ? await resolveNode(text, lookUp) : { problem: 'Not a string.' }
      if ('problem' in node) throw new AllowlistError({ code: 'NODE_INVALID' })
      return entryOfNode(node.value)
    }),
  )
  if (new Set(nodes.map(({ key }) => key)).size < nodes.length) throw new AllowlistError({ code: 'NODES_DUPLICATE' })
  return nodes
}
