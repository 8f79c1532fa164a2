import type { Module } from '../../host/module.ts';
import { portFault } from '../../host/process/port-holder.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { Admin } from './admin.ts';
import { ADMIN_HOST, MIN_TOKEN_LENGTH } from './guard.ts';

const SETTINGS = {
  adminPort: {
    flag: 'admin-port',
    env: 'ADMIN_PORT',
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    about:
      'port on loopback of metrics, probes, and the page with everything free for the operator; 0 takes a free one, which the log says; none without it',
  },
  adminToken: {
    flag: 'admin-token',
    env: 'ADMIN_TOKEN',
    type: 'text',
    secret: true,
    about:
      'what requests of the admin port must present, but for metrics and probes; none = every program on this machine may use it',
  },
  adminActions: {
    flag: 'admin-actions',
    env: 'ADMIN_ACTIONS',
    type: 'text',
    fallback: 'off',
    choices: ['off', 'on'],
    about:
      'whether the admin port lets its page change identities and the log level, annotate incidents, pause venues and have payments looked at; wants ADMIN_TOKEN',
  },
} as const satisfies SettingSpecs;

/** The operator's port on loopback: metrics, probes, documents, actions, and the page with everything free. */
export const operator: Module = {
  id: 'operator',
  settings: [{ after: 'port', specs: SETTINGS }],
  views: async () => (await import('./views.ts')).VIEWS,
  off: (settings) =>
    settings(SETTINGS).adminPort === undefined
      ? '--admin-port (PERPMETER_ADMIN_PORT) opens its port'
      : undefined,
  check: async (settings) => {
    const { adminPort, adminToken, adminActions } = settings(SETTINGS);
    const taken = adminPort ? await portFault(ADMIN_HOST, adminPort, '--admin-port') : undefined;
    const errors: string[] = taken === undefined ? [] : [taken];
    if (adminActions === 'on' && adminToken === undefined) {
      errors.push('ADMIN_ACTIONS=on needs an ADMIN_TOKEN, so that it is known who acts');
    }
    if (adminToken !== undefined && adminToken.length < MIN_TOKEN_LENGTH) {
      errors.push(
        `ADMIN_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters: openssl rand -hex 32 makes one`,
      );
    }
    return errors;
  },
  open: async ({ settings, options: { dataDir }, log, logger, configuration }) => {
    const { adminPort = 0, adminToken, adminActions } = settings(SETTINGS);
    let admin: Admin | undefined;
    let endTrends: (() => void) | undefined;
    return {
      start: async (service) => {
        const [{ startAdmin }, { AuditLog }, { followTrends }] = await Promise.all([
          import('./admin.ts'),
          import('./audit-log.ts'),
          import('./trend-sources.ts'),
        ]);
        const { trends, end } = followTrends(service);
        endTrends = end;
        const context = {
          service,
          log,
          trends,
          settings: { logger, configuration },
          audit: new AuditLog(dataDir),
          allowsActions: adminActions === 'on',
        };
        admin = await startAdmin(context, adminPort, adminToken).catch((cause: unknown) => {
          throw new Error(`--admin-port ${adminPort}: ${reasonOf(cause)}`, { cause });
        });
        return { admin: `http://${ADMIN_HOST}:${admin.port}` };
      },
      stop: () => {
        endTrends?.();
        return admin?.close();
      },
    };
  },
};
