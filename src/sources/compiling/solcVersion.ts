/** A version of solc. */
export interface SolcVersion {
  /** `0.8.30`, or `0.8.31-nightly.2025.8.11`. */
  readonly numbers: string
  /** Eight digits; missing where only a file's name is known. */
  readonly commit: string | undefined
}

const pattern = /(\d+\.\d+\.\d+(?:-nightly\.\d+\.\d+\.\d+)?)(?:-fixed)?(?:\+commit\.([0-9a-f]{8}))?/

/** Finds a version in a text such as `v0.8.30+commit.73712a01.Emscripten.clang`; undefined if there is none. */
export function parseVersion(text: string): SolcVersion | undefined {
  const [, numbers, commit] = pattern.exec(text) ?? []
  return numbers === undefined ? undefined : { numbers, commit }
}

/** As compilers and clients write it. */
export function versionText({ numbers, commit }: SolcVersion): string {
  return commit === undefined ? numbers : `${numbers}+commit.${commit}`
}

/** Negative if the first one is older. */
export function compareVersions(one: Pick<SolcVersion, 'numbers'>, other: Pick<SolcVersion, 'numbers'>): number {
  const [a, b] = [one, other].map(({ numbers }) => numbers.split(/[-.]/).slice(0, 3).map(Number))
  for (const i of [0, 1, 2]) if (a![i] !== b![i]) return a![i]! - b![i]!
  return 0
}
