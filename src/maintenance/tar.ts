import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../system/makeFolder.ts'
import { BackupError } from './fault.ts'

const block = 512
const chunk = 1 << 20
const end = Buffer.alloc(2 * block)
/** Sizes from 8 GiB on do not fit into the field as text. */
const maxOctal = 8 ** 11

/** The header of a file of a tar archive: the same for the same name and size. */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(block)
  header.write(name, 0)
  header.write('0000600\0' + '0000000\0' + '0000000\0', 100)
  if (size < maxOctal) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Writes files of a folder into one archive, which `tar -x` reads. */
export function packTar(
  folder: string,
  names: readonly string[],
  file: string,
  onBytes: (count: number) => void,
): void {
  const out = openSync(file, 'wx', 0o600)
  try {
    const buffer = Buffer.alloc(chunk)
    for (const name of names) {
      const { size } = statSync(join(folder, name))
      writeSync(out, headerOf(name, size))
      const from = openSync(join(folder, name), 'r')
      for (let left = size; left > 0; ) {
        const length = readSync(from, buffer, 0, Math.min(chunk, left), null)
        if (length === 0) throw new Error(`${name} became shorter`)
        writeSync(out, buffer, 0, length)
        onBytes(length)
        left -= length
      }
      closeSync(from)
      writeSync(out, Buffer.alloc(padding(size)))
    }
    writeSync(out, end)
  } finally {
    closeSync(out)
  }
}

function padding(size: number): number {
  return (block - (size % block)) % block
}

/** Unpacks an archive of `packTar` into a folder; throws if any byte of it could not have been written by that. */
export function unpackTar(file: string, folder: string, onBytes: (count: number) => void): void {
  const damaged = (reason: string) => new BackupError({ code: 'BACKUP_DAMAGED', path: file, reason })
  const from = openSync(file, 'r')
  const { size: all } = fstatSync(from)
  try {
    const buffer = Buffer.alloc(chunk)
    const read = (length: number): Buffer => {
      if (readSync(from, buffer, 0, length, null) !== length) throw damaged('it ends too early')
      onBytes(length)
      return buffer.subarray(0, length)
    }
    let done = 0
    for (;;) {
      const header = Buffer.from(read(block))
      done += block
      if (header.every((byte) => byte === 0)) break
      const name = header.subarray(0, 100).toString().replace(/\0.*$/s, '')
      const size =
        header[124] === 0x80
          ? Number(header.readBigUInt64BE(128))
          : Number.parseInt(header.toString('latin1', 124, 135), 8)
      if (!/^[\w.-]+(\/[\w.-]+)?$/.test(name) || name.includes('..') || !(size >= 0 && size <= all))
        throw damaged('a header cannot be read')
      if (!header.equals(headerOf(name, size))) throw damaged(`the header of ${name} is not what was written`)
      makeFolder(dirname(join(folder, name)), 0o700)
      const to = openSync(join(folder, name), 'wx', 0o600)
      for (let left = size; left > 0; ) {
        const part = read(Math.min(chunk, left))
        writeSync(to, part)
        left -= part.length
      }
      closeSync(to)
      const rest = padding(size)
      if (rest > 0 && read(rest).some((byte) => byte !== 0))
        throw damaged(`what follows ${name} is not what was written`)
      done += size + rest
    }
    if (all !== done + block || read(block).some((byte) => byte !== 0)) throw damaged('its end is not what was written')
  } finally {
    closeSync(from)
  }
}
