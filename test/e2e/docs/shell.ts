import { spawnSync } from 'node:child_process'

/** What bash says about the syntax of a text; empty if it is complete and right. */
export function syntaxFault(text: string): string {
  const { stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
  return stderr.trim()
}

/** The commands of a shell block: lines, joined where bash needs more of them. */
export function splitCommands(block: string): string[] {
  const commands: string[] = []
  let open = ''
  for (const line of block.split('\n')) {
    open += (open && '\n') + line
    if (/^\s*(#|$)/.test(open) && !open.includes('\n')) open = ''
    else if (!line.endsWith('\\') && (!mayBeOpen(open) || syntaxFault(open) === '')) {
      commands.push(open)
      open = ''
    }
  }
  if (open.trim()) throw new Error(`incomplete: ${syntaxFault(open) || open}`)
  return commands
}

/** Spares bash a look at simple commands. */
function mayBeOpen(text: string): boolean {
  return /['"`({]|<<|\b(for|if|while|case|do)\b/.test(text)
}

/** The words of the first simple command of a line, without quotes, assignments before it, and comments. */
export function firstWords(command: string): string[] {
  const words: string[] = []
  const pattern = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|;&<>()])+|\\\n|[|;&<>()])/gsy
  for (const [, raw] of command.replaceAll('\\\n', ' ').matchAll(pattern)) {
    if (/^[|;&<>()]$/.test(raw!) || raw!.startsWith('#')) break
    words.push(raw!.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, one, two, three) => one ?? two ?? three))
  }
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return start < 0 ? [] : words.slice(start)
}
