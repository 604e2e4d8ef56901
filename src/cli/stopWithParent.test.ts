import { expect, test } from 'vitest'
import { stopWithParent } from './stopWithParent.ts'

/** npm, above the shell in which it runs the program. */
const npm = 76

function watch(env: Record<string, string | undefined>, ppid: number) {
  let parent = ppid
  const alive = new Set([ppid, npm])
  let stops = 0
  let look: (() => void) | undefined
  stopWithParent(env, () => stops++, {
    parent: () => parent,
    isAlive: (pid) => alive.has(pid),
    parentOfShell: (pid) => (pid === ppid ? npm : undefined),
    every(_, action) {
      look = action
      return () => {
        look = undefined
      }
    },
  })
  return {
    isWatching: () => look !== undefined,
    stops: () => stops,
    lose() {
      parent = 1
      look?.()
      look?.()
    },
    die(pid: number) {
      alive.delete(pid)
      look?.()
    },
    look: () => look?.(),
  }
}

test('a process whose parent asked for it stops once when the parent is gone', () => {
  const env = { QUOIN_STOP_WITH_PID: '77' }
  const node = watch(env, 77)
  node.look()
  expect(node.stops()).toBe(0)
  node.lose()
  expect(node.stops()).toBe(1)
  expect(node.isWatching()).toBe(false)
  expect(env).toEqual({})
})

test('where the process id of the parent stays, as on Windows, its end is seen too', () => {
  const node = watch({ QUOIN_STOP_WITH_PID: '77' }, 77)
  node.die(77)
  expect(node.stops()).toBe(1)
})

test('npm that is killed is noticed behind the shell that it has started, and nobody else', () => {
  const node = watch({ npm_lifecycle_event: 'npx', npm_lifecycle_script: 'quoin' }, 77)
  node.die(npm)
  expect(node.stops()).toBe(1)
  const other = watch({ QUOIN_STOP_WITH_PID: '77' }, 77)
  other.die(npm)
  expect(other.stops()).toBe(0)
})

test('a parent that was gone before the watch began is noticed', () => {
  expect(watch({ QUOIN_STOP_WITH_PID: '77' }, 1).stops()).toBe(1)
})

test.each([
  ['quoin', true],
  ["'quoin'", true],
  ['quoin --data-path=x --rpc-http-enabled', true],
  ['./node_modules/.bin/quoin network', true],
  ['quoin & sleep 5', false],
  ['nohup quoin', false],
  ['hardhat test', false],
  [undefined, false],
])('npm running %j is watched: %s', (npm_lifecycle_script, isWatched) => {
  const node = watch({ npm_lifecycle_script }, 77)
  expect(node.isWatching()).toBe(isWatched)
  node.lose()
  expect(node.stops()).toBe(isWatched ? 1 : 0)
})

test('a process that has no parent from the start is not watched', () => {
  expect(watch({ npm_lifecycle_script: 'quoin' }, 1).isWatching()).toBe(false)
})
