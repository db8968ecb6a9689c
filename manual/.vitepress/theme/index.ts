import theme from 'vitepress/theme';
import './contrast.css';

export default theme;
