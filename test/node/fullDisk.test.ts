import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { withTempFolder } from '../support/tempStore.ts'

const writer = join(packageRoot, 'dist/test/node/fullDisk/main.js')

/** Runs a script of `sh` in which `$1` is a folder, `$2` node and `$3` the writer; what it prints, line by line. */
function runScript(script: string, folder: string, around: readonly string[] = []) {
  const [program, ...args] = [...around, 'sh', '-ec', script, 'sh', folder, process.execPath, writer]
  const { stdout, stderr, status } = spawnSync(program!, args, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A process with its own view of what is mounted may mount, if the system lets users do that. */
const namespace = ['unshare', '-rm'] as const
const tmpfs = 'mount -t tmpfs -o size=16m none "$1"'
const canMount = spawnSync(namespace[0], [...namespace.slice(1), 'sh', '-c', 'mount -t tmpfs none /tmp']).status === 0

describe.skipIf(process.platform === 'win32')('a disk that takes no more is a clear fault and damages nothing', () => {
  test.skipIf(!canMount)('when a file system is full', () =>
    withTempFolder((folder) => {
      const script = `${tmpfs}
        head -c 4000000 /dev/zero > "$1/ballast"
        "$2" "$3" fill "$1/database"
        rm "$1/ballast"
        "$2" "$3" check "$1/database"`
      const [filled, checked] = runScript(script, folder, namespace)
      expect(filled.faults).toEqual(['DISK_FULL', 'DISK_FULL'])
      expect(filled.head).toBeGreaterThan(5)
      expect(checked.head).toBe(filled.head + 1)
    }),
  )

  test.skipIf(!canMount)('however often it is met, the process goes on and keeps what it acknowledged', () =>
    withTempFolder((folder) => {
      const script = `${tmpfs}
        "$2" "$3" press "$1/database" "$1/ballast" 300`
      const [pressed] = runScript(script, folder, namespace)
      expect(pressed).toMatchObject({ faults: { DISK_FULL: 300 }, lost: 0 })
      expect(pressed.wrote).toBeGreaterThan(10)
    }),
  )

  test('when a file may not grow', () =>
    withTempFolder((folder) => {
      const script = `(ulimit -f 8000; exec "$2" "$3" fill "$1/database")
        "$2" "$3" check "$1/database"`
      const [filled, checked] = runScript(script, folder)
      // The part of a write that still fits makes it look like a failing disk.
      for (const fault of filled.faults) expect(['DISK_FULL', 'DISK_FAILED']).toContain(fault)
      expect(filled.head).toBeGreaterThan(5)
      expect(checked.head).toBe(filled.head + 1)
    }))
})
