import { readFileSync } from 'node:fs'
import { type Enode, parseEnode } from './enode.ts'
import { NetError } from './fault.ts'

/** Reads the static nodes file, a JSON array of enode URLs. Returns none if the file is missing and need not exist. */
export function readStaticNodes(path: string, mustExist: boolean, names = false): readonly Enode[] {
  const fault = (reason: string, cause?: unknown) => new NetError({ code: 'STATIC_NODES_FILE', path, reason }, cause)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ENOTDIR: what should be the folder is a file, about which its owner has more to say.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw fault(`cannot be read (${code})`, error)
    if (mustExist) throw fault('does not exist', error)
    return []
  }
  if (text.trim() === '') return []
  return parse(text, fault).map((entry) => {
    if (typeof entry !== 'string') throw fault(`Illegal static enode supplied (${JSON.stringify(entry)})`)
    let enode: Enode
    try {
      enode = parseEnode(entry, { names })
    } catch (error) {
      throw fault(`Illegal static enode supplied (${entry}): ${(error as Error).message}`, error)
    }
    if (enode.tcpPort === 0) throw fault(`Illegal static enode supplied (${entry}): the port must not be 0`)
    return enode
  })
}

function parse(text: string, fault: (reason: string, cause?: unknown) => NetError): readonly unknown[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw fault(`is not JSON: ${(error as Error).message}`, error)
  }
  if (!Array.isArray(json)) throw fault('is not a JSON array of enode URLs')
  return json
}
