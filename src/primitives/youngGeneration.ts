import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 grow the young generation again, which `bin/quoin` keeps small while the program is loaded. Loading grows it by several
 * megabytes that an idle node would never give back.
 */
export function letYoungGenerationGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
