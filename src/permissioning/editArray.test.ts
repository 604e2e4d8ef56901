import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { editArray } from './editArray.ts'

const add = (text: string, ...added: string[]) => editArray(text, 'list', { removed: [], added })
const remove = (text: string, ...removed: number[]) => editArray(text, 'list', { removed, added: [] })

describe('an array in a TOML text', () => {
  test('gets items on its line', () => {
    expect(add('list=["a"]', 'b', 'c')).toBe('list=["a","b","c"]')
    expect(add('list = [ "a", ]\nx = 1', 'b')).toBe('list = [ "a","b" ]\nx = 1')
    expect(add('list=[]', 'b')).toBe('list=["b"]')
  })

  test('gets items on lines of their own, and keeps comments', () => {
    const text = 'list = [ # who\n  "a", # first\n  "b" # ]\n] # end\n'
    expect(add(text, 'c', 'd')).toBe('list = [ # who\n  "a", # first\n  "b", # ]\n  "c",\n  "d"\n] # end\n')
    expect(add('list = [\n  "a",\n]\n', 'b')).toBe('list = [\n  "a",\n  "b",\n]\n')
    expect(add('list = [ # nobody\n]', 'b')).toBe('list = [ # nobody\n"b"]')
  })

  test('loses items with their commas, and lines that become empty', () => {
    expect(remove('list=["a","b","c"]', 1)).toBe('list=["a","c"]')
    expect(remove('list=["a","b"]', 0, 1)).toBe('list=[]')
    expect(remove('list = [\n  "a",\n  "b", # kept\n]\n', 0, 1)).toBe('list = [\n   # kept\n]\n')
  })

  test('is found by its key alone', () => {
    const text = `# list=["no"]\nother = "list=[\\"no\\"]"\nlong = """\nlist=["no"]\n"""\nnested = { list = ["no"] }\n"list" = ['a']\n[table]\nlist=["no"]\n`
    expect(add(text, 'b')).toBe(text.replace("['a']", `['a',"b"]`))
    expect(editArray('[table]\nlist=["no"]', 'list', { removed: [], added: ['b'] })).toBeUndefined()
    expect(editArray('list=1', 'list', { removed: [], added: ['b'] })).toBeUndefined()
  })

  test('takes any string, and nothing else changes', () => {
    const item = fc.string({ unit: 'binary-ascii' })
    const layout = fc.constantFrom(',', ', ', ',\n  ', ', # ] "\n')
    fc.assert(
      fc.property(fc.array(item), fc.array(item), fc.func(fc.boolean()), layout, (items, added, isRemoved, between) => {
        const removed = items.flatMap((_, index) => (isRemoved(index) ? [index] : []))
        const texts = items.map((text) => JSON.stringify(text).replaceAll('\u007f', '\\u007f'))
        const text = `first = [1, "x"] # list=[]\nlist = [${texts.join(between)}]\nlast = "y"\n[more]\nlist = ["z"]\n`
        const kept = items.filter((_, index) => !removed.includes(index))
        const edited = parse(editArray(text, 'list', { removed, added })!)
        expect(edited).toEqual({ first: [1, 'x'], list: [...kept, ...added], last: 'y', more: { list: ['z'] } })
      }),
    )
  })
})
