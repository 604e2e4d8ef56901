import type { Config } from '../config/options.ts'
import { createPluginRules, type PluginRules, type PluginRulesParts } from '../plugins/pluginRules.ts'
import { startPlugin } from '../plugins/pluginThread.ts'
import type { StopList } from './stopList.ts'

/** Loads the plugin that the operator names; undefined where there is none. */
export async function openPlugin(
  config: Pick<Config, 'plugin'>,
  parts: Omit<PluginRulesParts, 'plugin'>,
  stops: StopList,
): Promise<PluginRules | undefined> {
  if (config.plugin === undefined) return undefined
  const plugin = await startPlugin(config.plugin, parts)
  stops.add(plugin.stop)
  const rules = createPluginRules({ ...parts, plugin })
  stops.add(rules.stop)
  return rules
}
