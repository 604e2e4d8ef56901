import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { failed } from '../config/fault.ts'
import { keyFileText, type NodeKeyPlace, nodeKeyFile, readPrivateKey } from '../keys/nodeKey.ts'
import { parseEnode } from '../net/enode.ts'
import { readStaticNodes } from '../net/readStaticNodes.ts'
import { equalBytes } from '../primitives/bytes.ts'
import { toHex } from '../primitives/hex.ts'
import { privateKeyToAddress } from '../primitives/secp256k1.ts'
import { makeFolder } from '../system/makeFolder.ts'
import { writeFileAtomically } from '../system/writeFileAtomically.ts'
import type { ForeignFolder } from './foreignFolder.ts'

type StaticNodes = NonNullable<ForeignFolder['staticNodes']>

/** Throws if one of two folders is in the other: nothing may be written into the folder that is moved from. */
export function keepApart(source: string, target: string): void {
  const [from, to] = [realPathOf(source), realPathOf(target)]
  if (isWithin(from, to) || isWithin(to, from))
    throw failed(`--data-path=${target} and ${source} have to be folders apart: nothing is written into ${source}`)
}

function isWithin(outer: string, inner: string): boolean {
  const path = relative(outer, inner)
  return path === '' || !(path === '..' || path.startsWith('../') || path.startsWith('/'))
}

/** The path without symbolic links, also of a folder that does not exist yet. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(realPathOf(dirname(path)), relative(dirname(path), path))
}

/** Copies a private key into a data path and returns what was done; throws if another key is there. */
export async function takeKey(key: Uint8Array, from: string, place: NodeKeyPlace): Promise<string> {
  const address = toHex(privateKeyToAddress(key))
  const { path: file, ...rest } = nodeKeyFile(place)
  if (existsSync(file)) {
    if (!equalBytes(await readPrivateKey({ path: file, ...rest }), key))
      throw failed(`${file} holds another key than ${from}: move it away, or choose another --data-path`)
    return `key of address ${address}: ${file} has it already`
  }
  const text = await keyFileText(key, place.passwordFile)
  makeFolder(place.dataPath, 0o700)
  writeFileAtomically(file, text, 0o600)
  return `key of address ${address}: copied from ${from} to ${file}`
}

/** Copies static nodes into a data path and returns what was done; throws if they are invalid. */
export function takeStaticNodes({ file, enodes }: StaticNodes, dataPath: string): string {
  const to = join(dataPath, 'static-nodes.json')
  if (!enodes) return `static nodes (${readStaticNodes(file, true, true).length}): ${takeFile(file, to)}`
  for (const enode of enodes) parseEnode(enode, { names: true })
  return `static nodes (${enodes.length}): ${takeText(`${JSON.stringify(enodes, undefined, 2)}\n`, file, to)}`
}

/** Copies a text file unless there is one already, and returns what was done. */
export function takeFile(from: string, to: string): string {
  return takeText(readFileSync(from, 'utf8'), from, to)
}

function takeText(text: string, from: string, to: string): string {
  if (existsSync(to))
    return readFileSync(to, 'utf8') === text ? `${to} is the same already` : `${to} is different and was left as it is`
  makeFolder(dirname(to), 0o700)
  writeFileAtomically(to, text)
  return `copied from ${from} to ${to}`
}
