import { expect, test } from 'vitest'
import type { ChainView } from '../chain/view.ts'
import type { Clock } from '../primitives/clock.ts'
import { createCurrentView } from './currentView.ts'

/** A chain whose head changes when told, and a clock that is moved by hand. */
function start() {
  let open = 0
  let changed: (() => void) | undefined
  let timers: { readonly at: number; readonly action: () => void }[] = []
  let now = 0
  const clock: Clock = {
    now: () => now,
    after(milliseconds, action) {
      const timer = { at: now + milliseconds, action }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  }
  const current = createCurrentView(
    {
      view() {
        open++
        return { close: () => open-- } as unknown as ChainView
      },
      onHead(listener) {
        changed = () => listener({} as never)
        return () => {
          changed = undefined
        }
      },
    },
    clock,
  )
  return {
    current,
    changeHead: () => changed?.(),
    wait(milliseconds: number) {
      now += milliseconds
      for (const { at, action } of [...timers]) if (at <= now) action()
    },
    openViews: () => open,
  }
}

test('a new head brings a new view; the old one stays open for a while', () => {
  const { current, changeHead, wait, openViews } = start()
  const first = current.get()
  changeHead()
  expect(current.get()).not.toBe(first)
  expect(openViews()).toBe(2)
  wait(29_999)
  expect(openViews()).toBe(2)
  wait(1)
  expect(openViews()).toBe(1)
})

test('many heads in a short time do not keep ever more views open', () => {
  const { current, changeHead, openViews } = start()
  for (let i = 0; i < 5000; i++) {
    current.get()
    changeHead()
  }
  expect(openViews()).toBe(256)
  current.close()
  expect(openViews()).toBe(0)
})

test('heads that nobody looks at open no views', () => {
  const { current, changeHead, openViews } = start()
  current.get()
  for (let i = 0; i < 10; i++) changeHead()
  expect(openViews()).toBe(1)
})
