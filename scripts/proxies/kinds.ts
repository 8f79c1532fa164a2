import { join } from 'node:path';

/** A reverse proxy as Debian packages it. */
export interface ProxyKind {
  /** Of the program and of its package. */
  readonly name: string;
  /** Prints its version. */
  readonly version: readonly string[];
  /** The least configuration there is: every limit stays at its default. */
  readonly config: (listen: number, service: number, folder: string) => string;
  /** A header line that its defaults let pass beside a payment of 3.5 kB. */
  readonly headerLineBytes: number;
  /** Arguments that keep it in the foreground. */
  readonly run: (config: string, folder: string) => readonly string[];
}

const nginx: ProxyKind = {
  name: 'nginx',
  version: ['-v'],
  config: (listen, service, folder) => `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    pid ${join(folder, 'nginx.pid')};
    error_log ${join(folder, 'nginx.log')};
    events {}
    http {
      access_log off;
      client_body_temp_path ${join(folder, 'body')};
      proxy_temp_path ${join(folder, 'proxy')};
      fastcgi_temp_path ${join(folder, 'fastcgi')};
      uwsgi_temp_path ${join(folder, 'uwsgi')};
      scgi_temp_path ${join(folder, 'scgi')};
      server {
        listen 127.0.0.1:${listen};
        location / { proxy_pass http://127.0.0.1:${service}; }
      }
    }
`,
  headerLineBytes: 7500,
  run: (config, folder) => ['-p', folder, '-c', config],
};

const haproxy: ProxyKind = {
  name: 'haproxy',
  version: ['-v'],
  config: (listen, service) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend buyers
  bind 127.0.0.1:${listen}
  default_backend perpmeter
backend perpmeter
  server one 127.0.0.1:${service}
`,
  headerLineBytes: 8192,
  run: (config) => ['-db', '-f', config],
};

const caddy: ProxyKind = {
  name: 'caddy',
  version: ['version'],
  config: (listen, service) => `
{
  admin off
}
http://127.0.0.1:${listen} {
  reverse_proxy 127.0.0.1:${service}
}
`,
  headerLineBytes: 8192,
  run: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
};

export const PROXIES: readonly ProxyKind[] = [nginx, haproxy, caddy];
