import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTempFolder } from '../../test/support/tempStore.ts'
import { readSecretFile, withSecret } from './readSecretFile.ts'

test.each([0, 1, 4095, 4096, 4097, 100_000])('reads a file of %i bytes', (length) =>
  withTempFolder(async (folder) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i % 251)
    writeFileSync(join(folder, 'secret'), bytes)
    const read = readSecretFile(join(folder, 'secret'))
    expect(Buffer.from(read).equals(bytes)).toBe(true)
    // Nothing else of this process is in the same memory.
    expect(read.buffer.byteLength).toBeLessThanOrEqual(2 * Math.max(length, 4096))
  }),
)

test.skipIf(process.platform === 'win32')('reads a pipe', () =>
  withTempFolder(async (folder) => {
    const pipe = join(folder, 'pipe')
    spawnSync('sh', ['-c', 'mkfifo "$0"', pipe])
    spawn('sh', ['-c', `printf 'open sesame' > ${pipe}`], { stdio: 'ignore' })
    expect(Buffer.from(readSecretFile(pipe)).toString()).toBe('open sesame')
  }),
)

test('what is no secret is not read', () =>
  withTempFolder(async (folder) => {
    writeFileSync(join(folder, 'large'), new Uint8Array((1 << 20) + 1))
    expect(() => readSecretFile(join(folder, 'large'))).toThrow('larger than a megabyte')
    expect(() => readSecretFile(join(folder, 'none'))).toThrow('ENOENT')
    expect(() => readSecretFile(folder)).toThrow('EISDIR')
  }))

test('a secret is overwritten when it was used, also when that fails', async () => {
  const [one, other] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)]
  expect(await withSecret(one, async (secret) => [...secret])).toEqual([1, 2])
  await expect(withSecret(other, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect([...one, ...other]).toEqual([0, 0, 0, 0])
})
