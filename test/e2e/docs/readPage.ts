/** A fenced block of a page, with what the page says about it. */
export interface Block {
  readonly kind: 'block'
  readonly language: string
  readonly text: string
  /** Of its first line, from 1. */
  readonly line: number
  /** The file that the paragraph above names. */
  readonly file?: string
  /** What the page shows as output of a shell block. */
  readonly expected?: string
  /** Why it cannot run in a test. */
  readonly notRun?: string
  /** The machines that it is for. */
  readonly machine?: string
  /** The exit code of its last command, if not 0. */
  readonly exit?: number
}

/** What happens between blocks: the reader stops what runs, or is taken to have something already. */
export interface Act {
  readonly kind: 'stop' | 'with' | 'errors'
  readonly text: string
  readonly line: number
}

export type Step = Block | Act

const comment = /^<!-- (not run|on|exit|stop|with|errors)(?:: (.*?))? -->$/
const fileName = /`([\w./-]+\.(?:json|toml|js|mjs|yaml|txt|sol))`/g

/** The blocks of a page in order, and the comments that are for its test. */
export function readPage(page: string): Step[] {
  const steps: Step[] = []
  const lines = page.split('\n')
  let paragraph: string[] = []
  let above: Partial<{ notRun: string; machine: string; exit: number }> = {}
  // A block of output belongs to the shell block right above it.
  let follows = false
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const [, act, text = ''] = comment.exec(line) ?? []
    const [, fence, language = ''] = /^\s*(```+)\s*(\w*)/.exec(line) ?? []
    if (act === 'not run') above.notRun = text
    else if (act === 'on') above.machine = text
    else if (act === 'exit') above.exit = Number(text)
    else if (act) steps.push({ kind: act as Act['kind'], text, line: i + 1 })
    else if (fence) {
      const indent = line.length - line.trimStart().length
      const start = ++i
      while (i < lines.length && lines[i]!.trim() !== fence) i++
      const body = lines.slice(start, i).map((row) => row.slice(Math.min(indent, row.length - row.trimStart().length)))
      const before = steps.at(-1)
      if (follows && before?.kind === 'block' && before.language === 'sh' && /^(text|json)$/.test(language))
        steps[steps.length - 1] = { ...before, expected: body.join('\n') }
      else {
        const file = [...paragraph.join(' ').matchAll(fileName)].at(-1)?.[1]
        const named = language === 'sh' || language === 'text' ? undefined : file
        const base = { kind: 'block', language, text: body.join('\n'), line: start + 1 } as const
        steps.push({ ...base, ...(named && { file: named }), ...above })
      }
      follows = true
      above = {}
      paragraph = []
    } else if (line.trim()) {
      if (lines[i - 1]?.trim() === '') paragraph = []
      paragraph.push(line)
      follows = false
    }
  }
  return steps
}
