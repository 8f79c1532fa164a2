import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../../../../web/data/answers.ts';
import { Listing } from '../../../../web/parts/listing.tsx';
import { Part } from '../../../../web/parts/part.tsx';
import { Shown } from '../../../../web/parts/states.tsx';
import type { Column } from '../../../../web/parts/table.tsx';
import type { ChangeableSetting, ConfiguredSetting, OperatorSettings } from '../schemas/settings.ts';
import { Confirm } from './confirm.tsx';

const PATH = '/operator/settings';
const EVERY_MS = 15_000;

const COLUMNS: readonly Column<ConfiguredSetting>[] = [
  { id: 'variable', title: 'Setting', value: ({ variable }) => variable },
  {
    id: 'value',
    title: 'Value at the start',
    value: ({ value }) => value,
    show: ({ value }) => <code class="sentences">{value ?? '–'}</code>,
  },
  { id: 'source', title: 'Source', value: ({ source }) => source },
  {
    id: 'from',
    title: 'Given by',
    value: ({ from }) => from,
    show: ({ from }) => (from === null ? '–' : <code>{from}</code>),
  },
  {
    id: 'about',
    title: 'What it is for',
    value: ({ about }) => about,
    show: ({ about }) => <span class="sentences">{about}</span>,
  },
];

/** The configuration with the place of each value, and the settings that may be changed while the service runs. */
export function SettingsPart(): JSX.Element {
  return (
    <Shown answer={useAnswer<OperatorSettings>(PATH, EVERY_MS)} what="the settings">
      {({ changeable, configuration, allows_actions }) => (
        <>
          <Part title="To be changed while the service runs">
            {changeable.map((setting) => (
              <Changeable key={setting.setting} setting={setting} allowsActions={allows_actions} />
            ))}
          </Part>
          <Part title="Configuration">
            <Listing
              name="configuration"
              id="configuration"
              caption="Configuration"
              columns={COLUMNS}
              rows={configuration}
              keyOf={({ name }) => name}
              empty="The service was started by a program, without settings."
              paths={[PATH]}
            />
          </Part>
        </>
      )}
    </Shown>
  );
}

interface ChangeableProps {
  readonly setting: ChangeableSetting;
  readonly allowsActions: boolean;
}

function Changeable({
  setting: { setting, value, choices, about },
  allowsActions,
}: ChangeableProps): JSX.Element {
  const [asked, ask] = useState<string>();
  return (
    <>
      <form
        class="bar"
        aria-label={`Change ${setting}`}
        onSubmit={(event) => {
          event.preventDefault();
          ask(String(new FormData(event.currentTarget).get('value')));
        }}
      >
        <label>
          {setting}: {about}
          <select name="value" disabled={!allowsActions}>
            {choices.map((choice) => (
              <option key={choice} value={choice} selected={choice === value}>
                {choice}
              </option>
            ))}
          </select>
        </label>
        <span class="tag">now {value}</span>
        {allowsActions && <button type="submit">Look at it</button>}
      </form>
      {asked !== undefined && (
        <Confirm
          key={asked}
          path={PATH}
          action={{ action: 'set', setting, value: asked }}
          done={() => `${setting} is ${asked}.`}
          close={() => ask(undefined)}
        >
          <strong>
            Set {setting} from {value} to {asked}
          </strong>{' '}
          until the service ends: a restart reads its configuration again.
        </Confirm>
      )}
    </>
  );
}
