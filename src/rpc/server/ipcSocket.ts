import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createConnection, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { Fault } from '../../primitives/fault.ts'

/** Why there can be no socket at a path. */
export type IpcFault =
  /** The system has no room for so long a path. */
  | { code: 'PATH_TOO_LONG'; path: string; length: number; max: number }
  /** Another process serves there. */
  | { code: 'SOCKET_IN_USE'; path: string }
  /** There is a file that is no socket. */
  | { code: 'NOT_A_SOCKET'; path: string }

/** The message is a part of a sentence for the operator. */
export class IpcError extends Fault<IpcFault> {
  constructor(at: IpcFault, cause?: unknown) {
    super(at, cause, sentenceOf(at))
  }
}

function sentenceOf(at: IpcFault): string {
  if (at.code === 'SOCKET_IN_USE') return 'another process serves there'
  if (at.code === 'NOT_A_SOCKET') return 'there is a file that is no socket'
  return `the path has ${at.length} bytes, and the system takes ${at.max} at most`
}

/** Bytes of a path that the system takes: `sun_path` without the zero at its end. */
const maxPath = process.platform === 'linux' ? 107 : 103
const isWindows = process.platform === 'win32'
/** For the user of this process alone. */
const [privateFolder, privateFile] = [0o700, 0o600]

/**
 * Has a server listen at a path that only the user of this process can open; a socket that a process left behind is replaced. Returns
 * what removes it. On Windows the path is that of a named pipe.
 */
export async function listenAt(server: Server, path: string): Promise<() => void> {
  if (isWindows) {
    await listen(server, path)
    return () => {}
  }
  const folder = dirname(path)
  checkLength(path)
  // Nobody can open it before its mode is set: it is made in a folder that only this user may enter.
  const nursery = join(folder, '.')
  checkLength(`${nursery}${'X'.repeat(6)}/s`)
  mkdirSync(folder, { recursive: true, mode: privateFolder })
  await requireFree(path)
  const hidden = mkdtempSync(`${folder}/.`)
  try {
    await listen(server, join(hidden, 's'))
    chmodSync(join(hidden, 's'), privateFile)
    renameSync(join(hidden, 's'), path)
  } finally {
    rmSync(hidden, { recursive: true, force: true })
  }
  const { ino } = lstatSync(path)
  return () => {
    // Another process may have taken the place.
    if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true })
  }
}

function checkLength(path: string): void {
  const length = Buffer.byteLength(path)
  if (length > maxPath) throw new IpcError({ code: 'PATH_TOO_LONG', path, length, max: maxPath })
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path)
  await once(server, 'listening')
}

/** Throws unless there is nothing, or a socket that nobody serves. */
async function requireFree(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isSocket()) throw new IpcError({ code: 'NOT_A_SOCKET', path })
  const client = createConnection(path)
  const isServed = await new Promise<boolean>((resolve) => {
    client.once('connect', () => resolve(true))
    client.once('error', () => resolve(false))
  })
  client.destroy()
  if (isServed) throw new IpcError({ code: 'SOCKET_IN_USE', path })
}
