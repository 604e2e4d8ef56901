import type { Option, Options } from '../config/option.ts'
import type { Command } from './command.ts'
import { longAliases } from './help.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A place on the command line: the words that lead there, and what may follow. */
interface Place {
  readonly path: readonly string[]
  readonly command: Command
}

/** The script that makes a shell complete commands, options and their values. */
export function completionScript(shell: Shell, main: Command): string {
  const places = placesOf(main, [])
  return shell === 'fish' ? fishScript(places) : bashScript(places, shell)
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  return [{ path, command }, ...command.children.flatMap((child) => placesOf(child, [...path, child.name]))]
}

function flagsOf(options: Options): string[] {
  return Object.entries(options).flatMap(([name, option]) =>
    [name, ...longAliases(option)].map((n) => flagOf(n, option)),
  )
}

/** `--name`, or `--name=` where a value must follow. */
function flagOf(name: string, { codec }: Option<unknown>): string {
  return codec.arity === 'flag' ? `--${name}` : `--${name}=`
}

/** Words that an option takes; empty if it takes anything. */
function valuesOf({ codec }: Option<unknown>): string[] {
  if (codec.arity === 'flag') return ['true', 'false']
  return /^[\w|-]+\|[\w|-]+$/.test(codec.label) ? codec.label.split('|') : []
}

const takesPath = ({ codec }: Option<unknown>) => /^(FILE|PATH|DIRECTORY)/.test(codec.label)

function bashScript(places: readonly Place[], shell: 'bash' | 'zsh'): string {
  const words = places.map(
    ({ path, command }) =>
      `    '${path.join(' ')}') words='${[...command.children.map(({ name }) => name), ...flagsOf(command.options), '--help'].join(' ')}' ;;`,
  )
  const commands = [...new Set(places.flatMap(({ path }) => path))]
  const values = new Map<string, string>()
  const files: string[] = []
  for (const { command } of places)
    for (const [name, option] of Object.entries(command.options)) {
      const found = valuesOf(option)
      if (takesPath(option)) files.push(`--${name}`)
      else if (found.length > 0) values.set(`--${name}`, found.join(' '))
    }
  const intro = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
  return `# Completion of quoin for ${shell}, made by \`quoin completion ${shell}\`.
${intro}_quoin() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} option path='' word words=''
  # Bash splits words at the equals sign.
  if [[ $cur == '=' ]]; then option=$before cur=''
  elif [[ $before == '=' ]]; then option=\${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $cur == --*=* ]]; then option=\${cur%%=*} cur=\${cur#*=}
  fi
  if [[ -n $option ]]; then
    case $option in
      ${[...new Set(files)].join('|')}) COMPREPLY=($(compgen -f -- "$cur")) ;;
${[...values].map(([name, list]) => `      ${name}) COMPREPLY=($(compgen -W '${list}' -- "$cur")) ;;`).join('\n')}
    esac
    return
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${commands.join('|')}) path="\${path:+$path }$word" ;; esac
  done
  case $path in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _quoin quoin
`
}

function fishScript(places: readonly Place[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = places.flatMap(({ path, command }) => {
    const children = command.children.map(({ name }) => name)
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
    const not = children.length > 0 ? [`not __fish_seen_subcommand_from ${children.join(' ')}`] : []
    const when = [...seen, ...not].join('; and ')
    const condition = when === '' ? '' : ` -n ${quote(when)}`
    return [
      ...command.children.map(({ name, doc }) => `complete -c quoin -f${condition} -a ${name} -d ${quote(doc)}`),
      ...Object.entries(command.options).map(([name, option]) => {
        const values = valuesOf(option)
        const takes = takesPath(option) ? ' -r -F' : option.codec.arity === 'flag' ? ' -f' : ' -x'
        const list = values.length > 0 ? ` -a ${quote(values.join(' '))}` : ''
        return `complete -c quoin${condition} -l ${name}${takes}${list} -d ${quote(option.doc)}`
      }),
    ]
  })
  return `# Completion of quoin for fish, made by \`quoin completion fish\`.\n${lines.join('\n')}\n`
}
