import { expect, test } from 'vitest'
import type { ChainView } from '../../chain/view.ts'
import type { Clock } from '../../system/clock.ts'
import { createCurrentView } from './currentView.ts'

/** A chain whose head changes when told, and a clock that is moved by hand. */
function start(past: () => object | undefined = () => undefined) {
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
      openView() {
        open++
        return { close: () => open--, past: past() } as unknown as ChainView
      },
      onHead(listener) {
        changed = () => listener({ added: [] } as never)
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

test('a new head brings a new view; the old one is closed when no answer is under way', () => {
  const { current, changeHead, openViews } = start()
  const first = current.get()
  changeHead()
  expect(current.get()).not.toBe(first)
  expect(openViews()).toBe(1)
})

test('while blocks before the head are coming a view does not last', () => {
  let past: object | undefined = { first: 9, wanted: 1 }
  const { current, wait, openViews } = start(() => past)
  const first = current.get()
  wait(999)
  expect(current.get()).toBe(first)
  wait(1)
  past = undefined
  const last = current.get()
  expect(last).not.toBe(first)
  wait(10_000)
  expect(current.get()).toBe(last)
  expect(openViews()).toBe(1)
})

test('an answer under way keeps every view open that it may have got', () => {
  const { current, changeHead, openViews } = start()
  current.get()
  changeHead()
  const release = current.hold()
  const later = current.hold()
  for (let i = 0; i < 3; i++) {
    current.get()
    changeHead()
  }
  const last = current.hold()
  current.get()
  expect(openViews()).toBe(4)
  later()
  expect(openViews()).toBe(4)
  release()
  expect(openViews()).toBe(1)
  changeHead()
  expect(openViews()).toBe(1)
  last()
  expect(openViews()).toBe(0)
})

test('an answer that never ends does not keep views open forever', () => {
  const { current, changeHead, wait, openViews } = start()
  const release = current.hold()
  current.get()
  changeHead()
  wait(29_999)
  expect(openViews()).toBe(1)
  wait(1)
  expect(openViews()).toBe(0)
  release()
  current.get()
  changeHead()
  expect(openViews()).toBe(0)
})

test('many heads in a short time do not keep ever more views open', () => {
  const { current, changeHead, openViews } = start()
  current.hold()
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
  expect(openViews()).toBe(1)
  for (let i = 0; i < 10; i++) changeHead()
  expect(openViews()).toBe(0)
})
