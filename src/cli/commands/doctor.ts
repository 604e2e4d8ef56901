import { command } from '../command.ts'

/** `doctor`: looks at what operators get wrong. */
export const doctor = command(
  'doctor',
  'Check what a node with these options needs: genesis file, data path, disk, key, ports, clock, peers and validators.',
  {},
  async (_, { config, io }) => {
    const { examine } = await import('../../doctor/examine.ts')
    const found = await examine(config)
    const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' }
    for (const { level, text, advice } of found)
      io.stdout(`${marks[level]}  ${text}\n${advice ? `         → ${advice}\n` : ''}`)
    return found.some(({ level }) => level === 'error') ? 1 : 0
  },
)
